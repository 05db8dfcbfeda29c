import { spoken } from '../../src/render/spoken';

const HEARD: [string, string][] = [
  ['**March** is the *best* month.', 'March is the best month.'],
  ['It is in `df["a*b*c"]` now.', 'It is in df["a*b*c"] now.'],
  ['See [the table](https://x.example/a_b).', 'See the table.'],
  ['## Found\n\n- one\n- two', 'Found one two'],
  ['1. first\n2. second', 'first second'],
  ['```python\nx = a * b * c\n```\nDone.', 'x = a * b * c Done.'],
  ['a | b\n--- | ---\n1 | 2', 'a, b 1, 2'],
  [
    '__all__ of my_long_name and 2 * 3 * 4',
    'all of my_long_name and 2 * 3 * 4'
  ],
  ['***both*** and ~~gone~~', 'both and gone'],
  ['cut off in **the mid', 'cut off in **the mid']
];

describe('markdown that is heard', () => {
  it.each(HEARD)('has no marks in it: %s', (markdown, words) => {
    expect(spoken(markdown)).toBe(words);
  });
});
