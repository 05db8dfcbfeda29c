import { lastLine, tailOf } from '../../src/components/transcript/tail';

describe('the end of a text', () => {
  it('is all of a short one', () => {
    expect(tailOf('abc', 3)).toBe('abc');
  });

  it('begins with a line if one begins soon', () => {
    expect(tailOf('first\nsecond line', 13)).toBe('second line');
  });

  it('begins anywhere in a long line', () => {
    expect(tailOf('abcdefgh\nz', 6)).toBe('efgh\nz');
  });

  it('begins with no half of a character', () => {
    expect(tailOf('a🦜b', 2)).toBe('b');
  });
});

describe('the last line', () => {
  it.each([
    ['', ''],
    ['\n\n', ''],
    ['one', 'one'],
    ['one\n  two  \n\n', 'two']
  ])('of %j is %j', (text, line) => {
    expect(lastLine(text)).toBe(line);
  });

  it('of a long one is its last words, none of them cut', () => {
    expect(lastLine('some words '.repeat(20))).toMatch(
      /^(?:some )?words (?:some words ?)+$/
    );
  });

  it('of a long text is found from its end', () => {
    expect(lastLine(`${'a'.repeat(100_000)}\nb`)).toBe('b');
    expect(lastLine('a'.repeat(100_000))).toHaveLength(80);
  });
});
