import { escapeControls, findControls } from '../../src/render/controls';

const UNSEEN: [string, string][] = [
  ['a right-to-left override', '\u202e'],
  ['an isolate', '\u2066'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner alone', '\u200d'],
  ['a soft hyphen', '\u00ad'],
  ['a byte order mark', '\ufeff'],
  ['a word joiner', '\u2060'],
  ['a tag character', '\u{e0041}'],
  ['a Hangul filler', '\u3164'],
  ['a line separator', '\u2028'],
  ['an escape', '\u001b'],
  ['a carriage return', '\r'],
  ['a C1 control', '\u0085'],
  ['half a surrogate pair', '\ud800'],
  ['a variation selector', '\ufe0f']
];

describe('characters that can not be seen', () => {
  it.each(UNSEEN)('are written out: %s', (_, char) => {
    const code = char
      .codePointAt(0)!
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    expect(escapeControls(`a${char}b`)).toBe(`a⟨U+${code}⟩b`);
  });

  it('are named with their lines', () => {
    expect(findControls('a\n\u202eb\n\nc\u200b')).toEqual([
      { name: 'U+202E', line: 2 },
      { name: 'U+200B', line: 4 }
    ]);
  });

  it('are none in ordinary text of many languages and in emoji', () => {
    const text = 'é ñ 日本 한국 עברית العربية 👩🏽‍🔬 ❤️ \t\n';
    expect(escapeControls(text)).toBe(text);
  });
});
