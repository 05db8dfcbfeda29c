import type { IStateDB } from '@jupyterlab/statedb';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { RunState } from '../protocol/generated';
import type { IClient } from '../state/client';
import { waitingRuns, wasLeft } from '../state/summary';
import type { ThreadList } from '../state/threads';
import { Answers } from './answers';
import { Drafts } from './drafts';
import { FrontWatch } from './frontWatch';
import type { Followed } from './followed';
import { asks, Inputs } from './inputs';
import { KernelVariables } from './kernelVariables';
import { Outlook } from './outlook';
import type { IApi, INotebooks } from './ports';
import { Rerun } from './rerun';
import { Sender } from './sender';
import { ServerInfo } from './serverInfo';
import { Shown } from './shown';
import { Steps } from './steps';
import { Tour } from './tour';

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
    this.answers = new Answers(client, this.drafts);
    this.inputs = new Inputs(client);
    this.shown = new Shown({
      client,
      notebooks,
      threads,
      db,
      follow: threadId => options.followed.open(threadId)
    });
    const { shown, drafts } = this;
    const places = { client, notebooks, shown, trans };
    this.variables = new KernelVariables(places);
    const { variables } = this;
    this.sender = new Sender({ ...places, drafts, variables });
    this.tour = new Tour({ api, notebooks, shown, db });
    this.rerun = new Rerun({ notebooks, shown, sender: this.sender });
    this.steps = new Steps({
      sender: this.sender,
      shown,
      notebooks,
      rerun: this.rerun,
      trans,
      openSettings: () => this.setView('settings'),
      focus: () => this.focus()
    });
    const { sender, server } = this;
    this.outlook = new Outlook({ ...options, shown, sender, server });
    this._forwardAll();
  }

  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly threads: ThreadList;
  readonly drafts: Drafts;
  readonly server: ServerInfo;
  readonly answers: Answers;
  readonly inputs: Inputs;
  readonly shown: Shown;
  readonly variables: KernelVariables;
  readonly sender: Sender;
  readonly tour: Tour;
  readonly rerun: Rerun;
  readonly steps: Steps;
  /** What is shown. */
  readonly outlook: Outlook;

  /** Emitted whenever anything that the panel shows has changed. */
  get changed(): ISignal<PanelModel, void> {
    return this._changed;
  }

  /** Emitted when the composer should have the focus. */
  get focusAsked(): ISignal<PanelModel, void> {
    return this._focusAsked;
  }

  /** Emitted when the card of a run that waits for the person should have the focus, with its id. */
  get cardAsked(): ISignal<PanelModel, string> {
    return this._cardAsked;
  }

  /** Emitted when the cell that waits should run if the person has it before their eyes, with its id. */
  get runAsked(): ISignal<PanelModel, string> {
    return this._runAsked;
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  get view(): View {
    return this._view;
  }

  /** Whether a proposed cell is shown, and waits for an answer that can be given here. */
  get canRunProposed(): boolean {
    return (
      this._view === 'thread' &&
      this.outlook.mayApprove &&
      this.outlook.thread?.readOnly == null &&
      this._proposed !== null
    );
  }

  /** Whether the rest of the turn that runs does so without asking. */
  get runsUnasked(): boolean {
    const { turn, mode, allowedForTurn } = this.outlook;
    // No cell runs in a thread that only talks, whatever was allowed before.
    return (
      turn !== null &&
      mode !== 'chat' &&
      (allowedForTurn || this.answers.allows(turn.turn_id))
    );
  }

  /** Read what earlier pages left, and ask the server what there is. */
  async start(): Promise<void> {
    await Promise.all([
      this.drafts.load(),
      this.tour.load(),
      this.shown.restore(),
      this.server.load()
    ]);
    if (this._disposed) {
      return;
    }
    const { client, notebooks, threads, shown } = this;
    const { followed } = this.options;
    this._front = new FrontWatch({
      client,
      notebooks,
      threads,
      followed,
      shown
    });
    this._changed.emit();
  }

  setView(view: View): void {
    if (view === 'settings' && this._view !== view) {
      // A turn may have learned something of a model since the status was read.
      void this.server.load();
    }
    this._view = view;
    this._changed.emit();
  }

  /** Put the focus into the composer, now or as soon as it is drawn. */
  focus(): void {
    this._wantsFocus = true;
    this._focusAsked.emit();
  }

  /** Put the focus where the person comes in: into the cell that waits for them, else the composer. */
  enter(): void {
    const waits = this._view === 'thread' ? this._waiting : null;
    if (waits === null) {
      this.focus();
    } else {
      this._cardAsked.emit(waits.run_id);
    }
  }

  /** Give the focus back to the notebook in front, if one is open. */
  async leave(): Promise<void> {
    const { front } = this.notebooks;
    if (front !== null) {
      await this.sender.attempt(() => this.notebooks.open(front.path));
    }
  }

  /** Whether the composer was asked to have the focus; it takes it, once. */
  takeFocus(): boolean {
    const wanted = this._wantsFocus;
    this._wantsFocus = false;
    return wanted;
  }

  /** Begin the guided tour in a notebook of its own. */
  async startTour(): Promise<void> {
    await this.sender.attempt(() => this.tour.start());
    this.setView('thread');
    this.focus();
  }

  /** Run the first cell that waits for an answer, if it is shown. */
  async runProposed(): Promise<void> {
    const { thread } = this.outlook;
    if (thread && this._proposed && this.canRunProposed) {
      await this.answers.run(thread.threadId, this._proposed, 'once');
    }
  }

  /** Let the cell that waits run from the composer; what is out of view comes into view first. */
  askRun(): void {
    if (this._proposed && this.canRunProposed) {
      this._runAsked.emit(this._proposed.run_id);
    }
  }

  /** Send what a button says, with the focus where the answer's card takes it from. */
  say(text: string): void {
    this.focus();
    void this.sender.send(text);
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
      if (this.outlook.thread?.threadId === threadId) {
        this.shown.begin();
      }
      this.options.followed.drop(threadId);
      await this.refreshThreads();
    }
  }

  /** Ask for the threads again. */
  async refreshThreads(): Promise<void> {
    const { path } = this.shown;
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
    const threadId = this.outlook.thread?.threadId;
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
    this._front?.dispose();
    this.shown.dispose();
    this.variables.dispose();
    this.sender.dispose();
    this.rerun.dispose();
    this.answers.dispose();
    this.inputs.dispose();
    this.drafts.dispose();
    this.options.followed.dispose();
    this.client.linkChanged.disconnect(this._emit, this);
    this.notebooks.changed.disconnect(this._emit, this);
    this.threads.changed.disconnect(this._emit, this);
    Signal.clearData(this);
  }

  /** The cell that waits in the turn that runs; one that an earlier turn left is not open any more. */
  private get _proposed(): RunState | null {
    const { state, turn } = this.outlook;
    if (state === null || turn === null) {
      return null;
    }
    const waits = (run: RunState) =>
      run.turn_id === turn.turn_id && !wasLeft(turn, run);
    return waitingRuns(state).find(waits) ?? null;
  }

  /** The run that waits for the person where they can answer: a cell to approve, or one that asks. */
  private get _waiting(): RunState | null {
    const { state, thread, mayApprove } = this.outlook;
    const here = mayApprove && thread?.readOnly == null;
    const asking = here ? Object.values(state?.runs ?? {}).find(asks) : null;
    return this._proposed ?? asking ?? null;
  }

  private _forwardAll(): void {
    this.options.followed.changed.connect(this._emit, this);
    this.client.linkChanged.connect(this._emit, this);
    this.notebooks.changed.connect(this._emit, this);
    this.threads.changed.connect(this._emit, this);
    this.server.changed.connect(this._emit, this);
    this.answers.changed.connect(this._emit, this);
    this.inputs.changed.connect(this._emit, this);
    this.shown.changed.connect(this._emit, this);
    this.sender.changed.connect(this._emit, this);
    this.rerun.changed.connect(this._emit, this);
    this.variables.changed.connect(this._emit, this);
  }

  private _emit(): void {
    this._changed.emit();
  }

  private _view: View = 'thread';
  private _wantsFocus = false;
  private _disposed = false;
  private _front: FrontWatch | null = null;
  private readonly _changed = new Signal<this, void>(this);
  private readonly _focusAsked = new Signal<this, void>(this);
  private readonly _cardAsked = new Signal<this, string>(this);
  private readonly _runAsked = new Signal<this, string>(this);
}
