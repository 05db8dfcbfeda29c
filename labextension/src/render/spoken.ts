/** Code between backticks, a line or a block of it. */
const CODE = /(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n\1|$)|(`+)([\s\S]+?)\3(?!`)/g;

/** Marks that markdown reads, each with what is left of it when it is heard. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/<\/?[a-z][^>]*>/gi, ''],
  [/^[ \t]*(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, ''],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ''],
  [/^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$/gm, ''],
  [/^[ \t]*\||\|[ \t]*$/gm, ''],
  [/[ \t]*\|[ \t]*/g, ', '],
  [/(\*{1,3}|~~)(?=\S)([^*~]*?\S)\1/g, '$2'],
  [/(?<!\w)(_{1,3})(?=\S)(.*?\S)\1(?!\w)/g, '$2']
];

function withoutMarks(text: string): string {
  return MARKS.reduce((left, [mark, words]) => left.replace(mark, words), text);
}

/** Markdown as it is read aloud: its words, and code as it stands. */
export function spoken(markdown: string): string {
  let words = '';
  let end = 0;
  for (const found of markdown.matchAll(CODE)) {
    const code = found.at(2) ?? found.at(4) ?? '';
    words += withoutMarks(markdown.slice(end, found.index)) + code;
    end = found.index + found[0].length;
  }
  return (words + withoutMarks(markdown.slice(end)))
    .replace(/\s+/g, ' ')
    .trim();
}
