import type { ISharedNotebook, NotebookChange } from '@jupyter/ydoc';
import type { Cell } from '@jupyterlab/cells';
import type { IChangedArgs } from '@jupyterlab/coreutils';
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import {
  type INotebookModel,
  type Notebook,
  NotebookActions
} from '@jupyterlab/notebook';
import { type ISignal, Signal } from '@lumino/signaling';

import type { DesiredCell } from '../state/cells';
import { LIMITS } from './limits';
import type { Neighbours } from './line';
import type { WriterMemory } from './memory';

/** What happened to a document. */
export type Happening = 'cells' | 'content' | 'file';

/** What one writer knows of a document: what it remembers, and up to which replacement. */
export interface WriterRecord {
  readonly memory: WriterMemory;
  readonly epoch: number;
}

type NotebookContext = DocumentRegistry.IContext<INotebookModel>;

/**
 * Watches one document for as long as it is open, also between writers: what the person deletes
 * while nobody writes must stay deleted, and a revert must not look like a deletion.
 */
export class DocumentWatch {
  /**
   * The watch of a document, begun at the first call.
   */
  static of(context: NotebookContext): DocumentWatch {
    const known = DocumentWatch._watches.get(context);
    const watch = known ?? new DocumentWatch(context);
    DocumentWatch._watches.set(context, watch);
    return watch;
  }

  private constructor(private readonly _context: NotebookContext) {
    const { model } = _context;
    this._length = model.sharedModel.cells.length;
    model.sharedModel.changed.connect(this._onShared, this);
    model.contentChanged.connect(this._onContent, this);
    model.stateChanged.connect(this._onState, this);
    _context.saveState.connect(this._onSave, this);
    NotebookActions.executionScheduled.connect(this._onScheduled, this);
    _context.disposed.connect(this._onDisposed, this);
    void _context.ready.then(() => this._onLoaded());
  }

  /** Emitted after each change, never in the middle of one. */
  get changed(): ISignal<DocumentWatch, Happening> {
    return this._changed;
  }

  /** Counts how often the document was replaced as a whole. */
  get epoch(): number {
    return this._epoch;
  }

  /** Counts the saves that ended well. */
  get saves(): number {
    return this._saves;
  }

  /** Whether a save is on its way, so that the file may be ahead of what we know of it. */
  get saving(): boolean {
    return (
      this._saving !== null && Date.now() - this._saving.since < LIMITS.savingMs
    );
  }

  /** Whether the file as last read or written holds a cell. */
  isInFile(cellId: string): boolean {
    return this._inFile.has(cellId);
  }

  /** Whether a cell was ever here since the document was loaded. */
  held(cellId: string): boolean {
    return this._held.has(cellId);
  }

  /** Whether the person has run a cell since the document was loaded. */
  wasRun(cellId: string): boolean {
    return this._ran.has(cellId);
  }

  /** What a thread's last writer remembered. */
  record(threadId: string): WriterRecord {
    return (
      this._records.get(threadId) ?? { memory: new Map(), epoch: this._epoch }
    );
  }

  /** Keep what a thread's writer remembers for the next look. */
  keep(threadId: string, memory: WriterMemory): void {
    this._records.set(threadId, { memory, epoch: this._epoch });
  }

  /** Change what a thread's writer remembers, without a look at the document. */
  amend(
    threadId: string,
    change: (memory: WriterMemory) => WriterMemory
  ): void {
    const { memory, epoch } = this.record(threadId);
    this._records.set(threadId, { memory: change(memory), epoch });
  }

  /** What a thread wants in the document; a thread that was not known may be what others wait for. */
  enlist(threadId: string, cells: readonly DesiredCell[]): void {
    const known = this._wanted.has(threadId);
    this._wanted.set(threadId, cells);
    if (!known) {
      this._changed.emit('content');
    }
  }

  /** What is known of the other threads than one. */
  neighbours(threadId: string): Neighbours {
    const others = [...this._wanted].filter(([id]) => id !== threadId);
    return {
      cells: others.flatMap(([, cells]) => cells),
      complete: this.gathering === 0
    };
  }

  /** For how many milliseconds yet threads are expected whose cells the document should hold. */
  get gathering(): number {
    return Math.max(0, this._since + LIMITS.gatherMs - Date.now());
  }

  /** We changed the document: a save that began before does not hold it. */
  wrote(): void {
    if (this._saving) {
      this._saving.outdated = true;
    }
  }

  private _onLoaded(): void {
    this._since = Date.now();
    this._held = this._ids();
    if (!this._context.isDisposed && !this._context.model.dirty) {
      this._inFile = this._ids();
      this._changed.emit('file');
    }
  }

  private _onShared(
    shared: ISharedNotebook,
    { cellsChange, stateChange }: NotebookChange
  ): void {
    if (stateChange?.some(one => one.name === 'dirty' && !one.newValue)) {
      this._cleaned = true;
    }
    if (!cellsChange) {
      return;
    }
    const before = this._length;
    this._length = shared.cells.length;
    const deleted = cellsChange.reduce((sum, d) => sum + (d.delete ?? 0), 0);
    const inserted = cellsChange.flatMap(d => d.insert ?? []);
    const all = before > 0 && deleted === before && inserted.length > 0;
    const refilled = all && inserted.some(cell => cell.getSource() !== '');
    // A load says that nothing is unsaved only after its change, in the same task.
    this._cleaned = false;
    queueMicrotask(() => {
      if (!this._context.isDisposed) {
        this._onCells(all, refilled);
      }
    });
  }

  /** The whole content went: by a load, unless the person took every cell out by hand. */
  private _onCells(all: boolean, refilled: boolean): void {
    const { model } = this._context;
    const loaded = model.collaborative ? refilled : this._cleaned;
    if (all && loaded) {
      this._epoch++;
      this._saving = null;
      this._ran.clear();
      this._inFile = this._ids();
      this._held = this._inFile;
    }
    this._held = new Set([...this._held, ...this._ids()]);
    this._changed.emit('cells');
  }

  private _onContent(): void {
    this._changed.emit('content');
  }

  /** Under collaboration the server saves; all that shows is that nothing is unsaved any more. */
  private _onState(model: INotebookModel, change: IChangedArgs<unknown>): void {
    if (model.collaborative && change.name === 'dirty' && !model.dirty) {
      this._saved(this._ids());
    }
  }

  private _onSave(
    context: NotebookContext,
    state: DocumentRegistry.SaveState
  ): void {
    if (state === 'started') {
      const since = Date.now();
      this._saving = { ids: this._ids(), since, outdated: false };
      return;
    }
    const saving = this._saving;
    this._saving = null;
    // Saving under another name also completes, but leaves this document unsaved.
    if (state === 'completed' && saving && !context.model.dirty) {
      context.model.dirty = saving.outdated;
      this._saved(saving.ids);
    }
  }

  private _saved(ids: ReadonlySet<string>): void {
    this._inFile = ids;
    this._saves++;
    this._changed.emit('file');
  }

  private _onScheduled(
    _: unknown,
    { notebook, cell }: { notebook: Notebook; cell: Cell }
  ): void {
    if (notebook.model === this._context.model) {
      this._ran.add(cell.model.id);
      this._changed.emit('content');
    }
  }

  private _onDisposed(): void {
    NotebookActions.executionScheduled.disconnect(this._onScheduled, this);
    Signal.clearData(this);
  }

  private _ids(): ReadonlySet<string> {
    return new Set(this._context.model.sharedModel.cells.map(cell => cell.id));
  }

  private static readonly _watches = new WeakMap<
    NotebookContext,
    DocumentWatch
  >();
  private readonly _changed = new Signal<this, Happening>(this);
  private readonly _records = new Map<string, WriterRecord>();
  private readonly _wanted = new Map<string, readonly DesiredCell[]>();
  /** When the document was loaded. */
  private _since = Date.now();
  private readonly _ran = new Set<string>();
  private _inFile: ReadonlySet<string> = new Set();
  private _held: ReadonlySet<string> = new Set();
  private _saving: {
    readonly ids: ReadonlySet<string>;
    readonly since: number;
    outdated: boolean;
  } | null = null;
  /** Whether the document was called saved since its cells last changed. */
  private _cleaned = false;
  private _epoch = 0;
  private _saves = 0;
  private _length: number;
}
