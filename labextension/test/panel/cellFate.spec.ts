import { cellFate } from '../../src/panel/cellFate';
import { variable } from '../support/variables';

const CELLS = new Map([['here', 'a'.repeat(64)]]);
const bound = (cell_id: string | null, letter: string | null) =>
  cellFate(
    variable('x', { cell_id, cell_sha256: letter && letter.repeat(64) }),
    CELLS
  );

describe('the cell that bound a variable', () => {
  it('is as it was', () => {
    expect(bound('here', 'a')).toBeNull();
  });

  it('was edited since', () => {
    expect(bound('here', 'b')).toBe('edited');
  });

  it('is gone', () => {
    expect(bound('other', 'a')).toBe('gone');
  });

  it('is said nothing of that is not known', () => {
    expect(bound(null, null)).toBeNull();
    expect(bound('here', null)).toBeNull();
    expect(cellFate(variable('x', { cell_id: 'here' }), null)).toBeNull();
  });
});
