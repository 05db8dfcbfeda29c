import {
  type INotebookCellExecutor,
  setCellExecutor
} from '@jupyterlab/notebook';

import { rerunOwnCells } from '../../src/notebook/kernel';
import { Desk, ignoreYjs } from './desk';

/** Carries cells out as Jupyter's own executor does; what they come to is played by the test. */
class Played implements INotebookCellExecutor {
  ran: string[] = [];
  fails: readonly string[] = [];

  runCell: INotebookCellExecutor['runCell'] = ({ cell }) => {
    const { id } = cell.model;
    this.ran.push(id);
    return this.fails.includes(id)
      ? Promise.reject(new Error('KernelReplyNotOK: it is not defined'))
      : Promise.resolve(true);
  };
}

const played = new Played();
setCellExecutor(played);

describe('running the person’s cells again', () => {
  ignoreYjs();
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb', ['a', 'b', 'c', 'd']);
    played.ran = [];
    played.fails = [];
    for (const id of ['a', 'c', 'd']) {
      desk.cell(id).executionCount = 7;
    }
  });

  afterEach(() => desk.close());

  const rerun = () => rerunOwnCells(desk.panel);

  it('leaves out what had not run', async () => {
    expect(await rerun()).toEqual({ ran: 3, all: 3 });
    expect(played.ran).toEqual(['a', 'c', 'd']);
  });

  it('leaves out CaveLab’s own', async () => {
    const mark = { cell_id: 'c', run: 'run-c', thread: 'th-1' };
    desk.cell('c').setMetadata('cave_lab', mark);
    await rerun();
    expect(played.ran).toEqual(['a', 'd']);
  });

  it('stops at a cell that fails', async () => {
    played.fails = ['c'];
    expect(await rerun()).toEqual({ ran: 1, all: 3 });
    expect(played.ran).toEqual(['a', 'c']);
  });

  it('goes on behind a cell that is said to raise', async () => {
    played.fails = ['c'];
    desk.cell('c').setMetadata('tags', ['raises-exception']);
    expect(await rerun()).toEqual({ ran: 3, all: 3 });
    expect(played.ran).toEqual(['a', 'c', 'd']);
  });
});
