import type { ICodeCellModel } from '@jupyterlab/cells';
import type { Context } from '@jupyterlab/docregistry';
import type { INotebookContent } from '@jupyterlab/nbformat';
import {
  type INotebookModel,
  type NotebookPanel,
  NotebookTracker
} from '@jupyterlab/notebook';
import {
  initNotebookContext,
  NBTestUtils
} from '@jupyterlab/notebook/lib/testutils';
import type { ServiceManager } from '@jupyterlab/services';
import { ServiceManagerMock } from '@jupyterlab/services/lib/testutils';

import { findCode } from '../../src/notebook/edits';
import { until } from '../support/until';

/** What Yjs says of every cell that is made before it is in a document, as JupyterLab makes them. */
const CHATTER = /^(Invalid access: Add Yjs type|\[yjs#509\])/;

/** Let Yjs talk; whatever else is complained about still fails the test. */
export function ignoreYjs(): void {
  beforeEach(() => {
    const warn = jest.mocked(console.warn);
    const collect = warn.getMockImplementation();
    warn.mockImplementation((...words: unknown[]) => {
      if (!CHATTER.test(String(words[0]))) {
        collect?.(...words);
      }
    });
    jest.spyOn(console, 'debug').mockImplementation();
  });
}

/** A notebook of the person's, with a cell for each id. */
export function notebook(ids: readonly string[], minor = 5): INotebookContent {
  return {
    nbformat: 4,
    nbformat_minor: minor,
    metadata: { language_info: { name: 'python' } },
    cells: ids.map(id => ({
      cell_type: 'code',
      id,
      source: `${id} = 0`,
      metadata: {},
      outputs: [],
      execution_count: null
    }))
  };
}

/** A real notebook panel over a real document; only the server behind it is made up. */
export class Desk {
  readonly tracker = new NotebookTracker({ namespace: 'test' });

  private constructor(
    readonly manager: ServiceManager.IManager,
    readonly context: Context<INotebookModel>,
    readonly panel: NotebookPanel
  ) {}

  /** Open a saved notebook. */
  static async open(
    path: string,
    ids: readonly string[] = ['a', 'b', 'c'],
    minor = 5
  ): Promise<Desk> {
    const manager = new ServiceManagerMock();
    const context = await initNotebookContext({ path, manager });
    // The made-up server can't shut sessions down.
    const { sessionContext } = context;
    const preference = sessionContext.kernelPreference;
    sessionContext.kernelPreference = {
      ...preference,
      shutdownOnDispose: false
    };
    const panel = NBTestUtils.createNotebookPanel(context);
    context.model.fromJSON(notebook(ids, minor));
    await context.save();
    context.model.sharedModel.clearUndoHistory();
    const desk = new Desk(manager, context, panel);
    await desk.tracker.add(panel);
    return desk;
  }

  get model(): INotebookModel {
    return this.context.model;
  }

  get ids(): string[] {
    return Array.from(this.model.cells, cell => cell.id);
  }

  cell(id: string): ICodeCellModel {
    const cell = findCode(this.model, id);
    if (!cell) {
      throw new Error(`There is no code cell ${id}`);
    }
    return cell;
  }

  /** The text of a cell's streams, and the kinds of its other outputs. */
  text(id: string): string {
    return textOf(this.cell(id).outputs.toJSON());
  }

  /** The saved file. */
  async file(): Promise<INotebookContent> {
    const { contents } = this.manager;
    const file = await contents.get(this.context.path, { content: true });
    return file.content as INotebookContent;
  }

  /** Another program writes the file; the made-up server's hash of it is the time. */
  async writeFile(content: INotebookContent): Promise<void> {
    const { contents } = this.manager;
    const { last_modified } = await contents.get(this.context.path);
    const saved = Date.parse(last_modified);
    await until(() => Date.now() > saved, 'the clock moves on');
    await this.manager.contents.save(this.context.path, {
      type: 'notebook',
      format: 'json',
      content
    });
  }

  /** The person adds a cell. */
  type(index: number, id: string): void {
    const { cells } = notebook([id]);
    this.model.sharedModel.insertCell(index, cells[0]);
  }

  delete(id: string): void {
    this.model.sharedModel.deleteCell(this.ids.indexOf(id));
  }

  move(id: string, to: number): void {
    this.model.sharedModel.moveCell(this.ids.indexOf(id), to);
  }

  close(): void {
    this.panel.dispose();
    this.context.dispose();
    this.tracker.dispose();
  }
}

function textOf(outputs: INotebookContent['cells'][number]['outputs']): string {
  return (outputs as { output_type: string; text?: string }[])
    .map(output => output.text ?? `<${output.output_type}>`)
    .join('');
}
