import type { JupyterFrontEnd } from '@jupyterlab/application';
import { PathExt } from '@jupyterlab/coreutils';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { ServerConnection } from '@jupyterlab/services';
import { type ITranslator, nullTranslator } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { NotebookCells } from '../panel/cellFate';
import type {
  INotebooks,
  IOpenNotebook,
  Sight,
  Standing,
  Tally
} from '../panel/ports';
import type { Target } from '../protocol/generated';
import { rerunOwnCells, runOwnCells, startKernel } from './kernel';
import { Presence } from './presence';
import { catchUp } from './refresh';
import { anchorOf, digestsOf, outlineOf } from './sight';
import { findPanel, languageOf, pathOf, targetOf } from './target';
import { reveal } from './view';
import { DocumentWatch } from './watch';

/**
 * What the notebooks of this page are known by and opened with.
 */
export interface OpenNotebooksOptions {
  readonly tracker: INotebookTracker;
  readonly docManager: IDocumentManager;
  readonly commands: CommandRegistry;
  readonly shell: JupyterFrontEnd.IShell;
  readonly translator?: ITranslator | null;
  /** What the server calls the folder that it serves. */
  readonly rootId: () => string;
}

/** JupyterLab's own command that shows the file browser. */
const SHOW_FILES = 'filebrowser:activate';

/**
 * The notebooks open in this page: which one is in front, with which kernel, and how it looks.
 */
export class OpenNotebooks implements INotebooks, IDisposable {
  constructor(private readonly _options: OpenNotebooksOptions) {
    const { tracker } = _options;
    tracker.forEach(panel => this._attend(panel));
    tracker.widgetAdded.connect(this._onAdded, this);
    tracker.currentChanged.connect(this._emit, this);
  }

  /** Emitted when another notebook is in front, or a path or kernel is another one. */
  get changed(): ISignal<OpenNotebooks, void> {
    return this._changed;
  }

  get front(): IOpenNotebook | null {
    const panel = this._options.tracker.currentWidget;
    return panel && !panel.isDisposed ? this._describe(panel) : null;
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  find(path: string): IOpenNotebook | null {
    const panel = this._panel(path);
    return panel ? this._describe(panel) : null;
  }

  /** Open a notebook, or bring it to the front; rejects with a sentence if it is not there. */
  async open(path: string): Promise<void> {
    const { docManager } = this._options;
    if (!this._panel(path)) {
      await this._needFile(path);
    }
    const widget = docManager.openOrReveal(path);
    if (!widget) {
      throw new Error(this._trans.__('%1 can’t be opened.', path));
    }
    await widget.context.ready;
  }

  /** Make a notebook beside the one in front, with the server's default kernel. */
  async create(): Promise<void> {
    const { docManager } = this._options;
    const { services } = docManager;
    const front = this.front;
    const path = front ? PathExt.dirname(front.path) : '';
    const made = await docManager.newUntitled({ type: 'notebook', path });
    await services.kernelspecs.ready;
    const name = services.kernelspecs.specs?.default;
    const widget = docManager.openOrReveal(
      made.path,
      'default',
      name ? { name } : undefined
    );
    await widget?.context.ready;
  }

  async browse(): Promise<void> {
    const { commands } = this._options;
    if (commands.hasCommand(SHOW_FILES)) {
      await commands.execute(SHOW_FILES);
    }
  }

  async startKernel(path: string): Promise<void> {
    await startKernel(this._need(path), this._trans);
  }

  async runMine(path: string): Promise<void> {
    await runOwnCells(this._need(path));
  }

  async rerunMine(path: string): Promise<Tally> {
    return rerunOwnCells(this._need(path));
  }

  goToCell(path: string, cellId: string): Promise<boolean> {
    const panel = this._panel(path);
    const cells = panel?.content.widgets ?? [];
    const index = cells.findIndex(cell => cell.model.id === cellId);
    if (!panel || index < 0) {
      return Promise.resolve(false);
    }
    this._options.shell.activateById(panel.id);
    panel.content.deselectAll();
    panel.content.activeCellIndex = index;
    Presence.of(panel).come();
    reveal(panel, cellId);
    return Promise.resolve(true);
  }

  cells(path: string): NotebookCells | null {
    const panel = this._panel(path);
    return (
      panel && {
        digests: digestsOf(panel),
        held: cellId => DocumentWatch.of(panel.context).held(cellId)
      }
    );
  }

  catchUp(path: string): Promise<Standing> | null {
    const panel = this._panel(path);
    return panel && catchUp(panel, this._contents);
  }

  look(path: string, threadId: string | null): Sight {
    const panel = this._panel(path);
    return panel
      ? {
          target: this._target(panel),
          anchor: anchorOf(panel, threadId),
          outline: outlineOf(panel, threadId)
        }
      : {};
  }

  dispose(): void {
    if (this._disposed) {
      return;
    }
    this._disposed = true;
    const { tracker } = this._options;
    tracker.widgetAdded.disconnect(this._onAdded, this);
    tracker.currentChanged.disconnect(this._emit, this);
    Signal.clearData(this);
  }

  private get _contents(): IDocumentManager['services']['contents'] {
    return this._options.docManager.services.contents;
  }

  private get _trans(): ReturnType<ITranslator['load']> {
    return (this._options.translator ?? nullTranslator).load('cave_lab');
  }

  private async _needFile(path: string): Promise<void> {
    try {
      await this._contents.get(path, { content: false });
    } catch (reason) {
      throw reason instanceof ServerConnection.ResponseError &&
        reason.response.status === 404
        ? new Error(this._trans.__('There is no file %1.', path))
        : reason;
    }
  }

  private _panel(path: string): NotebookPanel | null {
    return findPanel(this._options.tracker, this._contents, path);
  }

  private _need(path: string): NotebookPanel {
    const panel = this._panel(path);
    if (!panel) {
      throw new Error(this._trans.__('%1 is not open here.', path));
    }
    return panel;
  }

  private _target(panel: NotebookPanel): Target {
    return targetOf(panel, this._contents, this._options.rootId());
  }

  private _describe(panel: NotebookPanel): IOpenNotebook {
    const { sessionContext, content } = panel;
    const kernel = sessionContext.session?.kernel ?? null;
    return {
      path: pathOf(panel, this._contents),
      target: this._target(panel),
      kernelName: kernel ? sessionContext.kernelDisplayName : null,
      language: languageOf(panel),
      kernelBusy: kernel?.status === 'busy',
      mimeType: content.codeMimetype
    };
  }

  private _onAdded(_: INotebookTracker, panel: NotebookPanel): void {
    this._attend(panel);
    this._emit();
  }

  private _attend(panel: NotebookPanel): void {
    const { sessionContext, context } = panel;
    Presence.of(panel);
    // It sees which cells the person runs from the first one on.
    DocumentWatch.of(context);
    context.pathChanged.connect(this._emit, this);
    sessionContext.sessionChanged.connect(this._emit, this);
    sessionContext.kernelChanged.connect(this._emit, this);
    sessionContext.statusChanged.connect(this._emit, this);
    panel.disposed.connect(this._emit, this);
    void context.ready.then(() => this._emit());
  }

  private _emit(): void {
    if (!this._disposed) {
      this._changed.emit();
    }
  }

  private readonly _changed = new Signal<this, void>(this);
  private _disposed = false;
}
