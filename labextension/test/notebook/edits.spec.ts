import { applyEdit } from '../../src/notebook/edits';
import type { Edit } from '../../src/notebook/plan';
import { makeMark } from '../../src/notebook/provenance';
import type { DesiredCell } from '../../src/state/cells';
import { Desk, ignoreYjs } from './desk';
import { wanted } from './paper';

function insert(
  cell: DesiredCell,
  index: number,
  replaces: readonly string[] = []
): Extract<Edit, { kind: 'insert' }> {
  const mark = makeMark(cell, null, {});
  return { kind: 'insert', cell, index, replaces, mark };
}

describe('an edit of the document', () => {
  ignoreYjs();
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
  });

  afterEach(() => desk.close());

  it('inserts a cell with its id, mark and count, trusted if it was allowed', () => {
    applyEdit(desk.model, insert(wanted('x', { executionCount: 3 }), 1));
    applyEdit(desk.model, insert(wanted('y', { trusted: false }), 2));
    expect(desk.ids).toEqual(['a', 'x', 'y', 'b', 'c']);
    const { executionCount, trusted, sharedModel } = desk.cell('x');
    expect({ executionCount, trusted }).toEqual({
      executionCount: 3,
      trusted: true
    });
    expect(sharedModel.getMetadata('cave_lab')).toMatchObject({
      cell_id: 'x',
      run: 'run-x',
      status: 'running'
    });
    expect(desk.cell('y').trusted).toBe(false);
  });

  it('is undone alone, never with what the person did just before or after', () => {
    const shared = desk.model.sharedModel;
    desk.type(0, 'before');
    applyEdit(desk.model, insert(wanted('x'), 1));
    desk.type(0, 'after');
    shared.undo();
    expect(desk.ids).toEqual(['before', 'x', 'a', 'b', 'c']);
    shared.undo();
    expect(desk.ids).toEqual(['before', 'a', 'b', 'c']);
    shared.undo();
    expect(desk.ids).toEqual(['a', 'b', 'c']);
  });

  it('brings outputs back when an insertion is undone and done again', () => {
    applyEdit(desk.model, insert(wanted('x'), 0));
    desk.cell('x').outputs.add({
      output_type: 'stream',
      name: 'stdout',
      text: 'hello'
    });
    desk.model.sharedModel.undo();
    desk.model.sharedModel.redo();
    expect(desk.text('x')).toBe('hello');
  });

  it('puts a cell in the place of others as one step', () => {
    for (const [name, index] of [
      ['one', 1],
      ['two', 3]
    ] as const) {
      applyEdit(desk.model, insert(wanted(name), index));
    }
    expect(desk.ids).toEqual(['a', 'one', 'b', 'two', 'c']);
    applyEdit(desk.model, insert(wanted('x'), 2, ['one', 'two']));
    expect(desk.ids).toEqual(['a', 'x', 'b', 'c']);
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['a', 'one', 'b', 'two', 'c']);
  });

  it('removes a cell as one step, and none if it is gone', () => {
    desk.type(0, 'before');
    applyEdit(desk.model, { kind: 'remove', cellId: 'b' });
    applyEdit(desk.model, { kind: 'remove', cellId: 'nowhere' });
    expect(desk.ids).toEqual(['before', 'a', 'c']);
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['before', 'a', 'b', 'c']);
  });

  it('leaves undo alone when it sets count, state and mark', () => {
    applyEdit(desk.model, insert(wanted('x'), 0));
    const mark = makeMark(wanted('x'), null, { status: 'ok' });
    for (const edit of [
      { kind: 'count', cellId: 'x', count: 7 },
      { kind: 'state', cellId: 'x', running: true },
      { kind: 'mark', cellId: 'x', mark, fold: false }
    ] as const) {
      applyEdit(desk.model, edit);
    }
    expect(desk.cell('x')).toMatchObject({
      executionCount: 7,
      executionState: 'running'
    });
    expect(desk.cell('x').getMetadata('cave_lab')).toEqual(mark);
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['a', 'b', 'c']);
  });

  it('folds a failed attempt, and keeps what else is known of it', () => {
    applyEdit(desk.model, insert(wanted('x'), 0));
    desk.cell('x').setMetadata('jupyter', { other: 1 });
    const mark = makeMark(wanted('x'), null, { folded: true });
    applyEdit(desk.model, { kind: 'mark', cellId: 'x', mark, fold: true });
    expect(desk.cell('x').getMetadata('jupyter')).toEqual({
      other: 1,
      source_hidden: true,
      outputs_hidden: true
    });
    expect(desk.cell('x').getMetadata('collapsed')).toBe(true);
  });

  it('brings the format up so that ids are saved', async () => {
    const old = await Desk.open('old.ipynb', ['a'], 4);
    applyEdit(old.model, { kind: 'upgrade_minor' });
    applyEdit(old.model, insert(wanted('x'), 0));
    await old.context.save();
    const file = await old.file();
    expect(file.nbformat_minor).toBe(5);
    expect(file.cells[0]?.id).toBe('x');
    old.close();
  });
});
