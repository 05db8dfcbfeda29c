import { nullTranslator } from '@jupyterlab/translation';

import { cellOf, textOf, typedText } from '../../src/panel/words';
import type { Part } from '../../src/protocol/generated';

const trans = nullTranslator.load('cave_lab');
const CELL: Part = { type: 'cell', code: 'x = 1', purpose: '' };
const TYPED: Part[] = [
  { type: 'text', text: 'Look at ' },
  { type: 'mention', kind: 'variable', name: 'df' }
];

describe('a message', () => {
  it('is shown as it was typed', () => {
    expect(textOf(TYPED, trans)).toBe('Look at @df');
    expect(typedText(TYPED)).toBe('Look at @df');
    expect(cellOf(TYPED)).toBeNull();
  });

  it('that lets a cell run says so and does not show its code', () => {
    expect(textOf([CELL], trans)).toBe('Run the cell from the answer');
    expect(typedText([CELL])).toBe('');
    expect(cellOf([CELL])).toBe(CELL);
  });
});
