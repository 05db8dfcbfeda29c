import type { IStateDB } from '@jupyterlab/statedb';
import type { TranslationBundle } from '@jupyterlab/translation';
import { JSONExt } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type {
  Mode,
  RunState,
  ThreadState,
  TurnState
} from '../protocol/generated';
import type { IClient, IThreadModel, Link } from '../state/client';
import { runningTurn } from '../state/summary';
import type { ThreadList } from '../state/threads';
import { Answers } from './answers';
import { bindingOf, type IBinding } from './binding';
import { Drafts } from './drafts';
import type { Followed } from './followed';
import type { IApi, INotebooks } from './ports';
import { Sender } from './sender';
import { ServerInfo } from './serverInfo';
import { Shown } from './shown';
import { Steps } from './steps';
import { Tour } from './tour';
import { textOf } from './words';

const PLAIN = 'text/plain';

/** What fills the panel. */
export type View = 'thread' | 'settings';

export interface IPanelOptions {
  readonly client: IClient;
  readonly api: IApi;
  readonly notebooks: INotebooks;
  readonly threads: ThreadList;
  readonly followed: Followed;
  readonly db: IStateDB | null;
  readonly trans: TranslationBundle;
  /** The mime type of a kernel's language. */
  readonly mimeTypeOf: (language: string | null) => string;
  /** Try the connection now. */
  readonly reconnect: () => void;
}

/**
 * All that the panel shows and does, for its components and for commands.
 */
export class PanelModel implements IDisposable {
  constructor(private readonly options: IPanelOptions) {
    const { client, api, notebooks, threads, db, trans } = options;
    this.client = client;
    this.notebooks = notebooks;
    this.threads = threads;
    this.drafts = new Drafts(db);
    this.server = new ServerInfo(api);
    this.answers = new Answers(client);
    this.shown = new Shown({
      client,
      notebooks,
      threads,
      db,
      follow: threadId => options.followed.open(threadId)
    });
    const { shown, drafts } = this;
    this.sender = new Sender({ client, notebooks, shown, drafts, trans });
    this.tour = new Tour({ api, notebooks, shown, db });
    this.steps = new Steps({
      sender: this.sender,
      shown,
      notebooks,
      trans,
      openSettings: () => this.setView('settings')
    });
    this._forwardAll();
  }

  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly threads: ThreadList;
  readonly drafts: Drafts;
  readonly server: ServerInfo;
  readonly answers: Answers;
  readonly shown: Shown;
  readonly sender: Sender;
  readonly tour: Tour;
  readonly steps: Steps;

  /** Emitted whenever anything that the panel shows has changed. */
  get changed(): ISignal<PanelModel, void> {
    return this._changed;
  }

  /** Emitted when the composer should have the focus. */
  get focusAsked(): ISignal<PanelModel, void> {
    return this._focusAsked;
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  get link(): Link {
    return this.client.link;
  }

  get view(): View {
    return this._view;
  }

  get thread(): IThreadModel | null {
    return this.shown.thread;
  }

  get state(): ThreadState | null {
    return this.shown.thread?.state ?? null;
  }

  /** The turn that runs, or null. */
  get turn(): TurnState | null {
    return this.state === null ? null : runningTurn(this.state);
  }

  /** Whether there is something to stop: a turn, or a message that will be one. */
  get busy(): boolean {
    return (
      this.turn !== null ||
      this.sender.pending.some(message => !message.stopped)
    );
  }

  /** What the thread acts on; the same object as long as nothing of it changes. */
  get binding(): IBinding | null {
    const kernel = this.thread?.kernel ?? null;
    const now = bindingOf(this.state, kernel, this.notebooks);
    if (!JSONExt.deepEqual({ ...now }, { ...this._binding })) {
      this._binding = now;
    }
    return this._binding;
  }

  /** The mode of the thread, or the one it would begin with. */
  get mode(): Mode {
    return (
      this.state?.mode ??
      this.shown.fresh.mode ??
      this.server.status?.default_mode ??
      'review'
    );
  }

  /** What the person said last in this thread, or null. */
  get lastMessage(): string | null {
    const last = this.state?.queue.at(-1) ?? this.state?.turns.at(-1);
    return last ? textOf(last.content) : null;
  }

  /** The model that the next message goes to, or null if none is chosen. */
  get modelName(): string | null {
    const own = this.state ? this.state.model : this.shown.fresh.model;
    return own ?? this.server.status?.model?.model ?? null;
  }

  /** The mime type of the code in the thread. */
  get mimeType(): string {
    const { binding } = this;
    const open = binding && this.notebooks.find(binding.path);
    // Before its kernel has answered, a notebook takes its code for plain text.
    return open && open.mimeType !== PLAIN
      ? open.mimeType
      : this.options.mimeTypeOf(binding?.language ?? null);
  }

  /** Whether the thread's words come from the tour's script. */
  get scripted(): boolean {
    const tour = this.server.status?.tour_model;
    return tour !== undefined && this.modelName === tour;
  }

  /** Whether proposals can be answered on this connection. */
  get mayApprove(): boolean {
    return this.link.kind !== 'open' || this.link.hello.may_approve;
  }

  /** Read what earlier pages left, and ask the server what there is. */
  async start(): Promise<void> {
    await Promise.all([
      this.drafts.load(),
      this.tour.load(),
      this.shown.restore(),
      this.server.load()
    ]);
    this._changed.emit();
  }

  setView(view: View): void {
    this._view = view;
    this._changed.emit();
  }

  /** Put the focus into the composer. */
  focus(): void {
    this._focusAsked.emit();
  }

  /** Begin the guided tour in a notebook of its own. */
  async startTour(): Promise<void> {
    await this.sender.attempt(() => this.tour.start());
    this.setView('thread');
    this.focus();
  }

  reconnect(): void {
    this.options.reconnect();
  }

  /** Delete a thread, with what it stored; its cells stay in the notebook. */
  async remove(threadId: string): Promise<void> {
    const done = await this.sender.ask({
      type: 'thread.delete',
      thread_id: threadId
    });
    if (done) {
      if (this.thread?.threadId === threadId) {
        this.shown.begin();
      }
      this.options.followed.drop(threadId);
      await this.refreshThreads();
    }
  }

  /** Ask for the threads again. */
  async refreshThreads(): Promise<void> {
    const path = this.binding?.path ?? null;
    await this.sender.attempt(() => this.threads.refresh(path));
  }

  /** Show the thread that a notebook was left with, or begin one. */
  async showNotebook(path: string): Promise<void> {
    await this.sender.attempt(async () => {
      await this.threads.refresh(path);
      const { current } = this.threads;
      if (current === null) {
        this.shown.begin();
      } else {
        this.shown.open(current);
      }
    });
  }

  /** Keep or undo the cells of runs. */
  async review(
    runs: readonly RunState[],
    verdict: 'kept' | 'undone'
  ): Promise<void> {
    const threadId = this.thread?.threadId;
    for (const run of threadId === undefined ? [] : runs) {
      await this.sender.ask({
        type: 'cell.review',
        thread_id: threadId ?? '',
        run_id: run.run_id,
        verdict
      });
    }
  }

  dispose(): void {
    if (this._disposed) {
      return;
    }
    this._disposed = true;
    this.shown.dispose();
    this.sender.dispose();
    this.answers.dispose();
    this.options.followed.dispose();
    this.client.linkChanged.disconnect(this._emit, this);
    this.notebooks.changed.disconnect(this._emit, this);
    this.threads.changed.disconnect(this._emit, this);
    Signal.clearData(this);
  }

  private _forwardAll(): void {
    this.client.linkChanged.connect(this._emit, this);
    this.notebooks.changed.connect(this._emit, this);
    this.threads.changed.connect(this._emit, this);
    this.server.changed.connect(this._emit, this);
    this.answers.changed.connect(this._emit, this);
    this.shown.changed.connect(this._emit, this);
    this.sender.changed.connect(this._emit, this);
  }

  private _emit(): void {
    this._changed.emit();
  }

  private _view: View = 'thread';
  private _binding: IBinding | null = null;
  private _disposed = false;
  private readonly _changed = new Signal<this, void>(this);
  private readonly _focusAsked = new Signal<this, void>(this);
}
