import { type Notebook, NotebookActions } from '@jupyterlab/notebook';

import { DocumentWatch, type Happening } from '../../src/notebook/watch';
import { until } from '../support/until';
import { Desk, ignoreYjs, notebook } from './desk';

/** Say that a cell is about to run, as JupyterLab does whoever carries it out. */
function schedule(notebook: Notebook, index: number): void {
  const cell = notebook.widgets[index];
  const signal = NotebookActions.executionScheduled as unknown as {
    emit(args: { notebook: Notebook; cell: typeof cell }): void;
  };
  signal.emit({ notebook, cell });
}

describe('the watch of a document', () => {
  ignoreYjs();
  let desk: Desk;
  let watch: DocumentWatch;
  let happened: Happening[];

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
    watch = DocumentWatch.of(desk.context);
    happened = [];
    watch.changed.connect((_, happening) => happened.push(happening));
    await until(() => watch.isInFile('a'), 'the file is known');
  });

  afterEach(() => desk.close());

  /** Let the document's changes come through. */
  async function settled(what: Happening = 'cells'): Promise<void> {
    await until(() => happened.includes(what), `it says ${what}`);
  }

  /** Do something once the content to be saved has been read. */
  function duringSave(action: () => void): void {
    desk.context.saveState.connect((_, state) => {
      if (state === 'started') {
        queueMicrotask(action);
      }
    });
  }

  it('knows which cells were ever here since the document was loaded', async () => {
    expect(watch.held('x')).toBe(false);
    desk.type(0, 'x');
    await settled();
    desk.delete('x');
    desk.delete('a');
    await until(() => !desk.ids.includes('a'), 'the cells are out');
    expect(['x', 'a', 'b'].map(id => watch.held(id))).toEqual([
      true,
      true,
      true
    ]);
    await desk.context.revert();
    await until(() => watch.epoch === 1, 'the document was replaced');
    expect(watch.held('x')).toBe(false);
  });

  it('is one for each document', () => {
    expect(DocumentWatch.of(desk.context)).toBe(watch);
  });

  it('tells a revert from what the person does', async () => {
    desk.type(0, 'mine');
    await settled();
    expect(watch.epoch).toBe(0);
    await desk.context.revert();
    await until(() => watch.epoch === 1, 'the document was replaced');
    expect(desk.ids).toEqual(['a', 'b', 'c']);
  });

  it('knows a load by its content, also when that is completed at once', async () => {
    // Without a kernel's name JupyterLab adds an empty one, and the document is unsaved again.
    desk.model.fromJSON({ ...notebook(['a']), metadata: {} });
    await until(() => watch.epoch === 1, 'the document was replaced');
    expect(desk.model.dirty).toBe(true);
  });

  it('does not take it for a revert when the person deletes every cell', async () => {
    const shared = desk.model.sharedModel;
    shared.transact(() => {
      shared.deleteCellRange(0, shared.cells.length);
      shared.insertCell(0, { cell_type: 'code', source: '' });
    });
    await settled();
    expect(watch.epoch).toBe(0);
  });

  it('knows which cells the file holds after a save', async () => {
    desk.type(0, 'mine');
    expect(watch.isInFile('mine')).toBe(false);
    await desk.context.save();
    expect(watch.isInFile('mine')).toBe(true);
    expect(watch.saves).toBe(1);
  });

  it('does not believe that a save holds what came after it began', async () => {
    duringSave(() => {
      expect(watch.saving).toBe(true);
      desk.type(0, 'late');
      watch.wrote();
    });
    await desk.context.save();
    expect(watch.saving).toBe(false);
    expect(watch.isInFile('late')).toBe(false);
    expect(watch.isInFile('a')).toBe(true);
    expect(desk.model.dirty).toBe(true);
  });

  it('believes nothing of a save that was overtaken by a revert', async () => {
    desk.type(0, 'mine');
    duringSave(() => desk.model.fromJSON(notebook(['a'])));
    await desk.context.save();
    expect(watch.epoch).toBe(1);
    expect(watch.isInFile('mine')).toBe(false);
  });

  it('knows what the person ran, until the document is read again', async () => {
    schedule(desk.panel.content, 1);
    expect(watch.wasRun('b')).toBe(true);
    expect(watch.wasRun('a')).toBe(false);
    await desk.context.revert();
    await until(() => !watch.wasRun('b'), 'it is forgotten');
  });

  it('keeps what a writer remembers for the next one', async () => {
    expect(watch.record('thread')).toEqual({ memory: new Map(), epoch: 0 });
    const memory = new Map();
    watch.keep('thread', memory);
    await desk.context.revert();
    await until(() => watch.epoch === 1, 'the document was replaced');
    expect(watch.record('thread').memory).toBe(memory);
    expect(watch.record('thread').epoch).toBe(0);
  });
});
