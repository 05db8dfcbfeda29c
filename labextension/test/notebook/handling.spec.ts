import type { Output } from '../../src/protocol/generated';
import type { DesiredCell } from '../../src/state/cells';
import { ended, Paper, told, wanted } from './paper';

const TEXT: Output = { output_type: 'stream', name: 'stdout', text: 'hello\n' };

/** What a person does to a cell while its run goes on, and what becomes of it. */
describe('a cell of ours that the person', () => {
  const cell = wanted('x', { after: 'a', code: 'first\nsecond' });
  let paper: Paper;

  beforeEach(() => {
    paper = new Paper('a', 'b', 'c');
    paper.settle([cell]);
  });

  function finish(fields: Partial<DesiredCell> = {}): void {
    paper.settle([ended(cell, { outputs: [TEXT], ...fields })]);
  }

  it('moves is followed', () => {
    paper.move('x', 3);
    finish();
    expect(paper.ids).toEqual(['a', 'b', 'c', 'x']);
    expect(paper.get('x').outputs).toEqual([TEXT]);
  });

  it('cuts and pastes between two looks is followed', () => {
    const cut = { ...paper.get('x') };
    paper.delete('x');
    paper.cells.push(cut);
    finish();
    expect(paper.get('x').outputs).toEqual([TEXT]);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('pastes twice gets its outputs in the first only', () => {
    paper.cells.push({ ...paper.get('x') });
    finish();
    expect(paper.cells.filter(one => one.id === 'x')).toHaveLength(2);
    expect(paper.get('x').outputs).toEqual([TEXT]);
    expect(paper.cells.at(-1)?.outputs).toEqual([]);
  });

  it('splits is edited: neither half is written to', () => {
    paper.split('x', 'half', 6);
    finish();
    expect(paper.ids).toEqual(['a', 'half', 'x', 'b', 'c']);
    expect(paper.get('half').outputs).toEqual([]);
    expect(paper.get('x').outputs).toEqual([]);
    expect(told(paper, cell)).toEqual(['in_document', 'edited_since']);
  });

  it('merges with another is gone, and not inserted again', () => {
    paper.merge('x', 'b', 'merged');
    finish();
    expect(paper.ids).toEqual(['a', 'merged', 'c']);
    expect(paper.get('merged').outputs).toEqual([]);
    expect(told(paper, cell)).toEqual(['in_document', 'deleted_by_user']);
  });

  it('duplicates is written to, its copy is not', () => {
    paper.duplicate('x', 'copy');
    finish();
    expect(paper.get('x').outputs).toEqual([TEXT]);
    expect(paper.get('copy').outputs).toEqual([]);
  });

  it('copies and then deletes is gone: the copy is theirs', () => {
    paper.duplicate('x', 'copy');
    paper.delete('x');
    finish({ verdict: 'undone' });
    expect(paper.ids).toEqual(['a', 'copy', 'b', 'c']);
  });

  it('takes out by undo stays out, and redo makes it ours again', () => {
    const undone = { ...paper.get('x') };
    paper.delete('x');
    paper.settle([cell]);
    expect(paper.ids).toEqual(['a', 'b', 'c']);
    paper.cells.splice(1, 0, undone);
    finish();
    expect(paper.ids).toEqual(['a', 'x', 'b', 'c']);
    expect(paper.get('x').outputs).toEqual([TEXT]);
  });

  it('loses to a revert is inserted again where it was', () => {
    paper.revert();
    paper.settle([cell], true);
    expect(paper.ids).toEqual(['a', 'x', 'b', 'c']);
  });

  it('runs again keeps the outputs of that run', () => {
    paper.run('x', 5);
    finish();
    expect(paper.get('x')).toMatchObject({ count: 5, outputs: ['theirs'] });
  });

  it('makes markdown and code again keeps what they left', () => {
    paper.look([{ ...cell, executionCount: 3, outputs: [TEXT] }]);
    paper.changeType('x', 'markdown');
    paper.settle([{ ...cell, executionCount: 3, outputs: [TEXT] }]);
    paper.changeType('x', 'code');
    finish({ executionCount: 3 });
    expect(paper.get('x')).toMatchObject({ count: null, outputs: [] });
    expect(told(paper, cell)).toEqual(['in_document', 'edited_since']);
  });

  it('strips of its metadata is theirs', () => {
    paper.get('x').mark = null;
    finish({ verdict: 'undone' });
    expect(paper.ids).toContain('x');
    expect(paper.get('x').outputs).toEqual([]);
  });

  it('runs by means unknown to us goes on showing that it runs', () => {
    finish();
    paper.get('x').running = true;
    finish();
    expect(paper.get('x').running).toBe(true);
  });

  it('copies is not the cell whose id the copy got', () => {
    paper.duplicate('x', 'y');
    const other = wanted('y', { after: 'a' });
    paper.settle([cell, { ...other, outputs: [TEXT] }]);
    expect(paper.get('y').outputs).toEqual([]);
  });

  it('never sees because its id is taken is not inserted', () => {
    const other = wanted('b', { after: 'a' });
    paper.settle([cell, other]);
    expect(paper.ids).toEqual(['a', 'x', 'b', 'c']);
    expect(paper.get('b').source).toBe('b by hand');
    expect(told(paper, other)).toEqual([]);
  });
});
