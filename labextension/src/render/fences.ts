/** A fenced block of code as markdown has it. */
export interface IFence {
  /** The first word after the fence; empty if there is none. */
  readonly language: string;
  /** Exactly what stands between the fences, without the last line's end. */
  readonly code: string;
  /** Whether its end was written: an answer can be cut off in a block. */
  readonly closed: boolean;
}

/** Quotes and lists that a block stands in, its fence, and what is said of it. */
const OPEN =
  /^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*)(`{3,}|~{3,})(.*)$/;

const QUOTE = /^[ \t]*> ?/;

/** An opened block: how its lines are read until it ends. */
interface IOpen {
  readonly fence: string;
  readonly language: string;
  readonly quotes: number;
  /** So many columns before the fence belong to lists and indents, on every line. */
  readonly indent: number;
  readonly lines: string[];
}

/** The fenced blocks of markdown, in order. */
export function fencesOf(markdown: string): IFence[] {
  const found: IFence[] = [];
  let open: IOpen | null = null;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    const inside: string | null = open && within(line, open);
    if (open === null || inside === null) {
      found.push(...(open === null ? [] : [fenceOf(open, false)]));
      open = opened(line);
    } else if (closes(inside, open)) {
      found.push(fenceOf(open, true));
      open = null;
    } else {
      open.lines.push(inside);
    }
  }
  return open === null ? found : [...found, fenceOf(open, false)];
}

function opened(line: string): IOpen | null {
  const [, before = '', fence = '', info = ''] = OPEN.exec(line) ?? [];
  const isInline = fence.startsWith('`') && info.includes('`');
  if (fence === '' || isInline) {
    return null;
  }
  const quotes = before.split('>').length - 1;
  const rest = quotes === 0 ? before : before.replace(/^.*> ?/, '');
  return {
    fence,
    language: languageIn(info),
    quotes,
    indent: rest.length,
    lines: []
  };
}

/** The language of an info string, also as `{python}` and `python,ignore`. */
function languageIn(info: string): string {
  return /^\{?\.?([^\s,{}]*)/.exec(info.trim())?.[1] ?? '';
}

/** A line without the quotes and the indent that its block stands in; null behind the quote's end. */
function within(line: string, open: IOpen): string | null {
  let rest = line;
  for (let level = 0; level < open.quotes; level += 1) {
    if (!QUOTE.test(rest)) {
      return null;
    }
    rest = rest.replace(QUOTE, '');
  }
  const indent = /^[ \t]*/.exec(rest)?.[0].length ?? 0;
  return rest.slice(Math.min(indent, open.indent));
}

function closes(line: string, { fence }: IOpen): boolean {
  const mark = line.trim();
  return (
    /^ {0,3}\S/.test(line) &&
    mark.length >= fence.length &&
    mark === fence.charAt(0).repeat(mark.length)
  );
}

function fenceOf(open: IOpen, closed: boolean): IFence {
  return { language: open.language, code: open.lines.join('\n'), closed };
}

/**
 * Find for each block that is drawn the fence that it was drawn from; null for one that no
 * fence gives to the letter, so that nothing but what is seen is ever taken from the source.
 */
export function matchFences(
  fences: readonly IFence[],
  drawn: readonly string[]
): (IFence | null)[] {
  let next = 0;
  return drawn.map(text => {
    const at = fences.findIndex(
      ({ code }, index) => index >= next && shows(text, code)
    );
    next = at < 0 ? next : at + 1;
    return fences.at(at < 0 ? fences.length : at) ?? null;
  });
}

/** A drawing may end its last line, which the code between fences does not. */
function shows(drawn: string, code: string): boolean {
  return drawn === code || drawn === `${code}\n`;
}
