import { nullTranslator } from '@jupyterlab/translation';

import {
  readWindow,
  windowWords,
  writeWindow
} from '../../src/panel/windowText';

const trans = nullTranslator.load('cave_lab');

describe('the size of a context window', () => {
  it.each([
    ['32768', 32_768],
    [' 128k ', 128_000],
    ['128 K', 128_000],
    ['1.5M', 1_500_000],
    ['4.1M', 4_100_000],
    ['32.7k', 32_700],
    ['128,000', 128_000],
    ['1 048 576', 1_048_576],
    ['2_048', 2_048]
  ])('is read from %j', (text, value) => {
    expect(readWindow(text)).toEqual({ kind: 'tokens', value });
  });

  it('is left to CaveLab by an empty field', () => {
    expect(readWindow('  ')).toEqual({ kind: 'none' });
    expect(writeWindow(null)).toBe('');
  });

  it.each([
    ['large', 'Write a whole number of tokens, such as 32768 or 128k.'],
    ['-5', 'Write a whole number of tokens, such as 32768 or 128k.'],
    ['8192.5', 'Write a whole number of tokens, such as 32768 or 128k.'],
    ['12,34', 'Write a whole number of tokens, such as 32768 or 128k.'],
    [
      '2047',
      'Write 2,048 or more, or leave it empty: CaveLab then finds it out.'
    ],
    ['11M', 'Write 10,000,000 or less.'],
    ['9'.repeat(400), 'Write a whole number of tokens, such as 32768 or 128k.']
  ])('is not taken from %j, in a sentence', (text, words) => {
    const window = readWindow(text);
    expect(window.kind).toBe('refused');
    expect(windowWords(window, trans)).toBe(words);
  });

  it('is written so that it is read as just that', () => {
    expect(readWindow(writeWindow(131_072))).toEqual({
      kind: 'tokens',
      value: 131_072
    });
  });
});
