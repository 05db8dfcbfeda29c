import type { DesiredCell } from '../../src/state/cells';
import { until } from '../support/until';
import { Bench } from './bench';
import { ignoreYjs, notebook } from './desk';
import { ended, Paper, told, wanted } from './paper';

const NOT_TAKEN = 'What became of a cell was not taken.';

describe('what a writer tells', () => {
  let paper: Paper;
  let cell: DesiredCell;
  let cut: Paper['cells'][number];

  beforeEach(() => {
    paper = new Paper('a');
    cell = ended(wanted('x', { after: 'a' }));
    paper.settle([cell]);
    hear({ placed: 'in_document' });
  });

  /** The server has taken what it was told. */
  function hear(fields: Partial<DesiredCell>): void {
    cell = { ...cell, ...fields };
    paper.settle([cell]);
  }

  function paste(): void {
    paper.cells.push({ ...cut });
    paper.settle([cell]);
  }

  function cutOut(): void {
    cut = paper.get('x');
    paper.delete('x');
    paper.settle([cell]);
  }

  it('is that a cell which counts as deleted is back, once', () => {
    paper.save();
    paper.reload();
    hear({ placed: 'in_file', verdict: 'deleted_by_user' });
    paper.settle([cell]);
    expect(told(paper, cell)).toEqual(['in_document', 'in_file']);
  });

  it('is a second deletion of a cell that was pasted', () => {
    cutOut();
    hear({ verdict: 'deleted_by_user' });
    paste();
    hear({ verdict: null });
    cutOut();
    hear({ verdict: 'deleted_by_user' });
    paste();
    expect(told(paper, cell)).toEqual([
      'in_document',
      'deleted_by_user',
      'in_document',
      'deleted_by_user',
      'in_document'
    ]);
  });

  it('is a second deletion also if nothing was heard of the first', () => {
    cutOut();
    paste();
    cutOut();
    expect(told(paper, cell)).toEqual([
      'in_document',
      'deleted_by_user',
      'in_document',
      'deleted_by_user'
    ]);
  });

  it('is that an undone cell is kept, as often as the person brings it back', () => {
    for (let time = 0; time < 2; time++) {
      cut = paper.get('x');
      hear({ verdict: 'undone' });
      paste();
      hear({ verdict: 'kept' });
    }
    expect(told(paper, cell)).toEqual([
      'in_document',
      'in_document',
      'kept',
      'in_document',
      'kept'
    ]);
  });
});

describe('a cell that was taken out', () => {
  ignoreYjs();
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.open();
    await bench.put('x', 'a');
    await bench.end('x');
    await bench.save('x');
  });

  afterEach(() => bench.close());

  async function deleteIt(): Promise<void> {
    bench.desk.delete('x');
    await bench.judged('x', 'deleted_by_user');
  }

  async function bringBack(): Promise<void> {
    bench.desk.model.sharedModel.undo();
    await bench.judged('x', null);
  }

  it('and brought back by undo is not deleted, however often', async () => {
    for (let time = 0; time < 3; time++) {
      await deleteIt();
      await bringBack();
    }
    expect(bench.run('x')?.placed).toBe('in_file');
    expect(bench.desk.ids).toEqual(['a', 'x', 'b', 'c']);
  });

  it('of the file too and brought back is there after a reload without a save', async () => {
    await deleteIt();
    await bench.desk.context.save();
    await bringBack();
    expect(bench.run('x')?.placed).toBe('in_document');
    await bench.desk.context.revert();
    await until(() => bench.desk.ids.includes('x'), 'it is put in again');
    expect(bench.desk.ids).toEqual(['a', 'x', 'b', 'c']);
  });

  it('in another page is not said to be back by a document that is behind its file', async () => {
    await bench.desk.writeFile(notebook(['a', 'b', 'c']));
    const before = bench.thread.asked('cell.placed').length;
    bench.thread.tell('cell.reviewed', {
      run_id: 'run-x',
      verdict: 'deleted_by_user'
    });
    await bench.put('y', 'a');
    expect(bench.desk.ids).toEqual(['a', 'y', 'b', 'c']);
    expect(bench.run('x')?.verdict).toBe('deleted_by_user');
    expect(bench.thread.asked('cell.placed')).toHaveLength(before + 1);
  });
});

describe('a place that the server did not take', () => {
  ignoreYjs();

  it('is told again once this page may write', async () => {
    const warn = jest.mocked(console.warn).mockImplementation();
    const bench = await Bench.open();
    bench.thread.lendInSecret('other');
    bench.thread.run('x', 'x = 1', 'a');
    await until(
      () => warn.mock.calls.some(([words]) => words === NOT_TAKEN),
      'it is refused'
    );
    const refused = bench.thread.asked('cell.placed').length;
    bench.thread.lend('other');
    bench.thread.lend('me');
    await bench.placed('x', 'in_document');
    expect(bench.thread.asked('cell.placed')).toHaveLength(refused + 1);
    bench.close();
  });
});
