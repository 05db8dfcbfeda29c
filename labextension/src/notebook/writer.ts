import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import { type ITranslator, nullTranslator } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { ThreadState } from '../protocol/generated';
import { type DesiredCell, desiredCells } from '../state/cells';
import { CommandError, type IThreadModel } from '../state/client';
import { sameNotebook } from '../state/roots';
import { ThreadBinding } from './binding';
import type { FetchBlob } from './blobs';
import { FileGuard, type WriterProblem } from './guard';
import { Lease } from './lease';
import { LIMITS } from './limits';
import { forget } from './memory';
import { OutlineReporter } from './outlineReporter';
import { Pace } from './pace';
import type { Report } from './plan';
import { type Reconciled, reconcile } from './reconcile';
import { isStructural, Scribe } from './scribe';
import { takeSnapshot } from './snapshot';
import { DocumentWatch, type Happening } from './watch';

/**
 * What a writer needs.
 */
export interface WriterOptions {
  readonly thread: IThreadModel;
  readonly tracker: INotebookTracker;
  readonly contents: Contents.IManager;
  readonly fetchBlob: FetchBlob;
  readonly translator?: ITranslator | null;
  /** Whether the person follows the run, so that new cells are scrolled into view. */
  readonly following: () => boolean;
}

/**
 * Keeps one thread's cells in its notebook, as long as that is open here and this page may write
 * it. It opens nothing by itself; without the lease it only remembers what the person does.
 */
export class NotebookWriter implements IDisposable {
  constructor(private readonly _options: WriterOptions) {
    const { thread, tracker, contents, fetchBlob, following } = _options;
    const trans = (_options.translator ?? nullTranslator).load('cave_lab');
    const again = (): void => this._pace.wakeIn(0);
    this._pace = new Pace(() => this._look());
    this._binding = new ThreadBinding(thread, tracker, contents);
    this._lease = new Lease(thread);
    this._guard = new FileGuard(contents, trans, wait =>
      this._pace.wakeIn(wait)
    );
    this._outline = new OutlineReporter(thread, again);
    const { threadId } = thread;
    this._scribe = new Scribe({ threadId, fetchBlob, trans, following, again });
    this._binding.changed.connect(this._look, this);
    thread.changed.connect(this._onThread, this);
    thread.client.linkChanged.connect(this._onThread, this);
    this._pace.wakeIn(0);
  }

  /** Why cells are not written now, or null. */
  get problem(): WriterProblem | null {
    return this._problem;
  }

  get problemChanged(): ISignal<NotebookWriter, WriterProblem | null> {
    return this._problemChanged;
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  dispose(): void {
    if (this._disposed) {
      return;
    }
    this._disposed = true;
    const { thread } = this._options;
    thread.changed.disconnect(this._onThread, this);
    thread.client.linkChanged.disconnect(this._onThread, this);
    this._scribe.stop(this._panel);
    this._lease.release();
    this._attend(null);
    this._pace.dispose();
    this._scribe.dispose();
    this._outline.dispose();
    this._binding.dispose();
    Signal.clearData(this);
  }

  private _onThread(): void {
    if (this._pace.take('thread', LIMITS.threadMs)) {
      this._look();
    }
  }

  private _onDocument(_: DocumentWatch, happening: Happening): void {
    if (happening === 'content') {
      this._pace.wakeIn(LIMITS.typingMs);
    } else {
      this._guard.hurry();
      this._look();
    }
  }

  /** Look at thread and document, and do what there is to do. */
  private _look(): void {
    const { thread } = this._options;
    const { state } = thread;
    if (this._disposed || !state || !thread.caughtUp) {
      return;
    }
    const panel = this._binding.panel;
    this._attend(panel);
    if (!panel || state.deleted) {
      this._lease.release();
    } else if (panel.context.isReady) {
      this._lookAt(panel, state);
    }
    this._setProblem(this._guard.problem);
  }

  /** Turn to another panel, or to none. */
  private _attend(panel: NotebookPanel | null): void {
    const old = this._panel;
    if (old === panel) {
      return;
    }
    this._panel = panel;
    this._scribe.stop(old);
    this._guard.reset();
    this._watch?.changed.disconnect(this._onDocument, this);
    this._watch = panel ? DocumentWatch.of(panel.context) : null;
    this._watch?.changed.connect(this._onDocument, this);
    void panel?.context.ready.then(() => this._look());
  }

  private _lookAt(panel: NotebookPanel, state: ThreadState): void {
    const { thread } = this._options;
    const { model } = panel.content;
    const watch = this._watch;
    if (!model || !watch) {
      return;
    }
    const { memory, epoch } = watch.record(thread.threadId);
    const mayWrite = this._lease.isOurs && thread.readOnly === null;
    const replaced = watch.epoch !== epoch;
    const snapshot = takeSnapshot(model, watch, replaced, mayWrite);
    const here = new Set(snapshot.cells.map(cell => cell.id));
    const desired = this._desired(state).filter(
      cell =>
        here.has(cell.cellId) || memory.has(cell.cellId) || belongs(cell, state)
    );
    watch.enlist(thread.threadId, desired);
    const neighbours = watch.neighbours(thread.threadId);
    const outcome = reconcile(desired, snapshot, memory, neighbours);
    if (!mayWrite) {
      this._scribe.stop(panel);
      this._guard.reset();
      watch.keep(thread.threadId, outcome.memory);
      const could = reconcile(
        desired,
        { ...snapshot, writable: true },
        memory,
        neighbours
      );
      this._waitIf(could, watch);
      if (could.edits.length > 0 || could.reports.length > 0) {
        this._claim();
      }
      return;
    }
    this._waitIf(outcome, watch);
    if (this._isAllowed(panel, outcome, state)) {
      const kept = this._scribe.carryOut(panel, outcome);
      watch.keep(thread.threadId, kept);
      outcome.reports.forEach(report => this._tell(report, watch));
      this._outline.offer(panel);
    } else {
      const seen = reconcile(desired, { ...snapshot, writable: false }, memory);
      watch.keep(thread.threadId, seen.memory);
    }
  }

  /** Look again at the latest when no more threads are to be expected. */
  private _waitIf({ waits }: Reconciled, watch: DocumentWatch): void {
    if (waits) {
      this._pace.wakeIn(watch.gathering);
    }
  }

  private _isAllowed(
    panel: NotebookPanel,
    { edits, reports }: Reconciled,
    state: ThreadState
  ): boolean {
    // A document that is behind its file may hold what was deleted in another page.
    const isBack = ({ kind, runId }: Report): boolean =>
      kind === 'placed' && state.runs[runId].verdict === 'deleted_by_user';
    const grave = edits.some(isStructural) || reports.some(isBack);
    return this._guard.allows(panel, edits.length > 0, grave);
  }

  private _claim(): void {
    if (this._options.thread.readOnly === null) {
      this._lease.claim();
    }
  }

  /** The cells that the thread wants; the same list as long as the state is the same. */
  private _desired(state: ThreadState): readonly DesiredCell[] {
    if (this._seen?.state !== state) {
      this._seen = { state, cells: desiredCells(state) };
    }
    return this._seen.cells;
  }

  private _tell(report: Report, watch: DocumentWatch): void {
    const { client, threadId: thread_id } = this._options.thread;
    const { runId: run_id } = report;
    const sent =
      report.kind === 'placed'
        ? client.request({
            type: 'cell.placed',
            thread_id,
            run_id,
            cell_id: report.cellId,
            level: report.level
          })
        : client.request({
            type: 'cell.review',
            thread_id,
            run_id,
            verdict: report.verdict
          });
    sent.catch((reason: unknown) => {
      console.warn('What became of a cell was not taken.', report, reason);
      if (mayBeTakenLater(reason)) {
        watch.amend(thread_id, memory => forget(memory, report));
      }
    });
  }

  private _setProblem(problem: WriterProblem | null): void {
    if (problem?.kind !== this._problem?.kind) {
      this._problem = problem;
      this._problemChanged.emit(problem);
    }
  }

  private readonly _pace: Pace;
  private readonly _binding: ThreadBinding;
  private readonly _lease: Lease;
  private readonly _guard: FileGuard;
  private readonly _scribe: Scribe;
  private readonly _outline: OutlineReporter;
  private readonly _problemChanged = new Signal<this, WriterProblem | null>(
    this
  );
  private _panel: NotebookPanel | null = null;
  private _watch: DocumentWatch | null = null;
  private _problem: WriterProblem | null = null;
  private _seen: {
    state: ThreadState;
    cells: readonly DesiredCell[];
  } | null = null;
  private _disposed = false;
}

/** Another page may have the lease just now, or the journal a full disk; an unknown cell stays so. */
function mayBeTakenLater(reason: unknown): boolean {
  return reason instanceof CommandError && reason.code !== 'not_found';
}

/** Whether a run was sent for the notebook that the thread is bound to, whatever its path then. */
function belongs(cell: DesiredCell, state: ThreadState): boolean {
  const { notebook, session_id: session } = state.target;
  const run = state.runs[cell.runId];
  return (
    sameNotebook(cell.notebook, notebook) ||
    (session !== null && run.target?.session_id === session)
  );
}
