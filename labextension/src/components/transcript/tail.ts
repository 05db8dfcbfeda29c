/** So much of a line is read at a glance while the next comes. */
const LINE_CHARS = 80;

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

/** The last line that holds anything, or the last words of a long one. */
export function lastLine(text: string): string {
  const lines = text.slice(-4 * LINE_CHARS).split('\n');
  const filled = lines.map(line => line.trim()).filter(Boolean);
  const last = filled.at(-1) ?? '';
  const tail = tailOf(last, LINE_CHARS);
  return tail === last ? last : tail.replace(/^\S*\s+/, '');
}
