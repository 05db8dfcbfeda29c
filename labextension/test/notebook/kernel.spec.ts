import {
  type INotebookCellExecutor,
  NotebookActions,
  setCellExecutor
} from '@jupyterlab/notebook';

import { rerunOwnCells } from '../../src/notebook/kernel';
import { DocumentWatch } from '../../src/notebook/watch';
import { Desk, ignoreYjs } from './desk';

/** Carries cells out as a kernel does; what they come to is played by the test. */
class Played implements INotebookCellExecutor {
  ran: string[] = [];
  fails: readonly string[] = [];

  runCell: INotebookCellExecutor['runCell'] = ({
    cell,
    onCellExecuted,
    onCellExecutionScheduled
  }) => {
    const { id } = cell.model;
    onCellExecutionScheduled({ cell });
    const goesOn = !this.stopped;
    const success = goesOn && !this.fails.includes(id);
    if (goesOn) {
      this.ran.push(id);
    }
    const tags = cell.model.getMetadata('tags') as unknown;
    const may = Array.isArray(tags) && tags.includes('raises-exception');
    this.stopped = this.stopped || !(success || may);
    onCellExecuted({ cell, success });
    return Promise.resolve(success);
  };

  /** The kernel sets aside what waits behind a cell that failed. */
  stopped = false;
}

const played = new Played();
setCellExecutor(played);

describe('running the person’s cells again', () => {
  ignoreYjs();
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb', ['a', 'b', 'c', 'd']);
    // As the page does with each notebook that is opened.
    DocumentWatch.of(desk.panel.context);
    played.ran = [];
    played.fails = [];
    played.stopped = false;
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

  it('believes the counts of a file only where nothing ran on this page', async () => {
    await NotebookActions.runCells(
      desk.panel.content,
      [desk.panel.content.widgets[2]],
      desk.panel.sessionContext
    );
    played.ran = [];
    expect(await rerun()).toEqual({ ran: 1, all: 1 });
    expect(played.ran).toEqual(['c']);
  });

  it('leaves the person who types in another cell there', async () => {
    const { content } = desk.panel;
    const modes: string[] = [];
    content.stateChanged.connect((_, { name, newValue }) => {
      if (name === 'mode') {
        modes.push(String(newValue));
      }
    });
    const done = rerun();
    await Promise.resolve();
    content.mode = 'edit';
    await done;
    expect(modes.at(-1)).toBe('edit');
  });
});
