/**
 * Characters that a reader can't see, or that change how the text around them
 * is read: controls, format characters (bidi, zero width), lone surrogates,
 * line separators and everything Unicode calls ignorable.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Joins and variants inside an emoji, which draw what they should. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*)*/gu;

const ORDINARY = new Set(['\n', '\t']);

/**
 * One unseen character and the line it stands in, counted from 1.
 */
export interface IUnseen {
  readonly name: string;
  readonly line: number;
}

function codeName(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, '0')}`;
}

function inEmoji(text: string): (index: number) => boolean {
  const spans = [...text.matchAll(EMOJI)].map(
    found => [found.index, found.index + found[0].length] as const
  );
  return index => spans.some(([from, to]) => from <= index && index < to);
}

/** The unseen characters with their places. */
function unseen(text: string): readonly (readonly [number, string])[] {
  const found = [...text.matchAll(UNSEEN)].filter(
    ([char]) => !ORDINARY.has(char)
  );
  if (found.length === 0) {
    return [];
  }
  const drawn = inEmoji(text);
  return found
    .filter(match => !drawn(match.index))
    .map(match => [match.index, match[0]] as const);
}

/**
 * Write unseen characters as `⟨U+202E⟩`, so that code reads as what it is.
 */
export function escapeControls(text: string): string {
  let shown = '';
  let end = 0;
  for (const [index, char] of unseen(text)) {
    shown += `${text.slice(end, index)}⟨${codeName(char)}⟩`;
    end = index + char.length;
  }
  return shown + text.slice(end);
}

/**
 * Name the unseen characters of a text, in order.
 */
export function findControls(text: string): readonly IUnseen[] {
  return unseen(text).map(([index, char]) => ({
    name: codeName(char),
    line: text.slice(0, index).split('\n').length
  }));
}
