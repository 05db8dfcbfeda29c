import { nullTranslator } from '@jupyterlab/translation';

import { applyEdit } from '../../src/notebook/edits';
import { decideHere } from '../../src/notebook/ownCell';
import { makeMark } from '../../src/notebook/provenance';
import { Desk, ignoreYjs } from './desk';
import { wanted } from './paper';

describe('a decision in one notebook alone', () => {
  ignoreYjs();
  const trans = nullTranslator.load('cave_lab');
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('a-Copy1.ipynb', ['a', 'b']);
    const cell = wanted('x');
    const mark = makeMark(cell, null, { status: 'ok' });
    applyEdit(desk.model, {
      kind: 'insert',
      cell,
      index: 1,
      replaces: [],
      mark
    });
    await desk.context.save();
  });

  afterEach(() => desk.close());

  const decide = (cellId: string, verdict: 'kept' | 'undone') =>
    decideHere(desk.panel, cellId, verdict, trans);

  const mark = (id: string) => desk.cell(id).getMetadata('cave_lab') as unknown;

  it('keeps a cell: it is marked as reviewed', () => {
    decide('x', 'kept');
    expect(mark('x')).toMatchObject({ cell_id: 'x', reviewed: true });
  });

  it('takes a cell out as one step, which undo takes back', () => {
    desk.type(0, 'mine');
    decide('x', 'undone');
    expect(desk.ids).toEqual(['mine', 'a', 'b']);
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['mine', 'a', 'x', 'b']);
  });

  it('is refused in a sentence in a notebook that can only be read', () => {
    const model = { ...desk.context.contentsModel!, writable: false };
    jest.spyOn(desk.context, 'contentsModel', 'get').mockReturnValue(model);
    expect(() => decide('x', 'undone')).toThrow('can only be read');
    expect(desk.model.dirty).toBe(false);
  });

  it('does not take out a cell that the person changed, and says so', () => {
    desk.cell('x').sharedModel.setSource('x = 2');
    expect(() => decide('x', 'undone')).toThrow('You changed this cell');
    expect(desk.ids).toEqual(['a', 'x', 'b']);
    decide('x', 'kept');
    expect(mark('x')).toMatchObject({ reviewed: true });
  });

  it('is refused in a sentence about a cell that is not ours', () => {
    expect(() => decide('a', 'undone')).toThrow('no longer one of CaveLab’s');
    expect(() => decide('gone', 'kept')).toThrow('no longer one of CaveLab’s');
    expect(desk.ids).toEqual(['a', 'x', 'b']);
  });
});
