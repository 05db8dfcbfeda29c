import { cellFate, type NotebookCells } from '../../src/panel/cellFate';
import { variable } from '../support/variables';

const CELLS: NotebookCells = {
  digests: new Map([['here', 'a'.repeat(64)]]),
  held: cellId => ['here', 'there'].includes(cellId)
};
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
    expect(bound('there', 'b')).toBe('gone');
    expect(bound('there', null)).toBe('gone');
  });

  it('is not gone if another cell has its source now', () => {
    expect(bound('there', 'a')).toBeNull();
  });

  it('is not gone from a notebook that it never was in', () => {
    expect(bound('elsewhere', 'b')).toBeNull();
  });

  it('is said nothing of that is not known', () => {
    expect(bound(null, null)).toBeNull();
    expect(bound('here', null)).toBeNull();
    expect(cellFate(variable('x', { cell_id: 'here' }), null)).toBeNull();
  });
});
