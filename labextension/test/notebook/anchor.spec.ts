import { type AnchorCell, chooseAnchor } from '../../src/notebook/anchor';

/** A person's cell with its execution count, or one of a thread. */
function cell(count: number | null, thread: string | null = null): AnchorCell {
  return { thread, executionCount: count };
}

describe('new cells', () => {
  const title = cell(null);
  const notebook = [title, cell(1), cell(2, 'mine'), cell(5), cell(3)];

  it('do not land between the title and the first code after a reload', () => {
    expect(chooseAnchor(notebook, null, 'mine')).toBe(2);
  });

  it('follow the cell that the person is in', () => {
    expect(chooseAnchor(notebook, 0, 'mine')).toBe(0);
    expect(chooseAnchor(notebook, 4, 'mine')).toBe(4);
  });

  it('of a thread without cells follow the one that was run last, whoever ran it', () => {
    expect(chooseAnchor(notebook, null, null)).toBe(3);
    expect(chooseAnchor(notebook, null, 'another')).toBe(3);
    const ours = [title, cell(1), cell(8, 'mine'), cell(5)];
    expect(chooseAnchor(ours, null, 'another')).toBe(2);
  });

  it('come last if nothing was run, and first in an empty notebook', () => {
    expect(chooseAnchor([title, cell(null)], null, null)).toBe(1);
    expect(chooseAnchor([], null, null)).toBe(-1);
  });

  it('come behind those of ours that follow already', () => {
    const ours = [title, cell(1), cell(2, 'one'), cell(3, 'two'), cell(null)];
    expect(chooseAnchor(ours, 1, null)).toBe(3);
    expect(chooseAnchor(ours, null, 'one')).toBe(3);
  });
});
