/** So much of a line is enough to fill the panel at any width. */
const LINE_CHARS = 200;

/**
 * The end of a text, at most `chars` long, from the beginning of a line if there is one near.
 */
export function tailOf(text: string, chars: number): string {
  if (text.length <= chars) {
    return text;
  }
  const tail = text.slice(-chars);
  const line = tail.indexOf('\n');
  const near = line >= 0 && line < chars / 2;
  // No half of a surrogate pair may be left at the beginning.
  return near ? tail.slice(line + 1) : tail.replace(/^[\uDC00-\uDFFF]/, '');
}

/** The last line that holds anything, or the end of a long one. */
export function lastLine(text: string): string {
  const lines = text.slice(-4 * LINE_CHARS).split('\n');
  const filled = lines.map(line => line.trim()).filter(Boolean);
  return tailOf(filled.at(-1) ?? '', LINE_CHARS);
}
