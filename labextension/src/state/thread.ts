import { Signal as Emitter, type ISignal } from '@lumino/signaling';

import type {
  CaughtUp,
  Event,
  KernelState,
  Signal,
  ThreadFault,
  ThreadState,
  WriterLease
} from '../protocol/generated';
import {
  CommandError,
  type IClient,
  type IThreadModel,
  type Link
} from './client';
import { reduce } from './reducer';
import { nextFrame, type Schedule } from './schedule';

/**
 * Where a model stands with the server: `away` without a connection, `opening` until the stored
 * events have come, `following` after that, `broken` when it can't go on.
 */
type Stage = 'away' | 'opening' | 'following' | 'broken';

/**
 * One open thread: it folds the server's events, and asks again for what is missing.
 */
export class ThreadModel implements IThreadModel {
  private readonly _changed = new Emitter<IThreadModel, void>(this);
  private _state: ThreadState | null = null;
  private _kernel: KernelState | null = null;
  private _lease: WriterLease | null = null;
  private _fault: ThreadFault | null = null;
  private _stage: Stage = 'away';
  private _serverReadOnly: string | null = null;
  private _problem: string | null = null;
  private _askedFrom = 0;
  /** The last number before a gap that was asked for again. */
  private _gapAfter: number | null = null;
  private _cancelFrame: (() => void) | null = null;
  private _isDisposed = false;

  constructor(
    readonly client: IClient,
    readonly threadId: string,
    private readonly _schedule: Schedule = nextFrame
  ) {
    client.received.connect(this._onReceived);
    client.linkChanged.connect(this._onLink);
    if (client.link.kind === 'open') {
      this._open();
    }
  }

  /** Null until the first event has come. */
  get state(): ThreadState | null {
    return this._state;
  }

  /** What the kernel is doing; null while the connection is lost. */
  get kernel(): KernelState | null {
    return this._kernel;
  }

  /** Who may write; null while the connection is lost, for it ends with the connection. */
  get lease(): WriterLease | null {
    return this._lease;
  }

  /** Why nothing more can be told by events, until events come again. */
  get fault(): ThreadFault | null {
    return this._fault;
  }

  /** Whether all stored events have been folded. */
  get caughtUp(): boolean {
    return this._stage === 'following';
  }

  /** Why the thread can only be read here, or null. */
  get readOnly(): string | null {
    return this._problem ?? this._serverReadOnly;
  }

  /** Emitted at most once per animation frame. */
  get changed(): ISignal<IThreadModel, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._cancelFrame?.();
    this.client.received.disconnect(this._onReceived);
    this.client.linkChanged.disconnect(this._onLink);
    if (this._stage !== 'away' && !this.client.isDisposed) {
      this._close();
    }
    Emitter.clearData(this);
  }

  lookAgain(): void {
    if (this._serverReadOnly !== null && this._stage === 'following') {
      this._open();
    }
  }

  private get _seq(): number {
    return this._state?.seq ?? 0;
  }

  private readonly _onLink = (_: IClient, link: Link): void => {
    if (link.kind === 'open') {
      this._problem = null;
      this._gapAfter = null;
      this._open();
    } else {
      this._stage = 'away';
      this._kernel = null;
      this._lease = null;
    }
    this._touch();
  };

  private _open(): void {
    this._stage = 'opening';
    this._askedFrom = this._seq;
    const { threadId: thread_id, _askedFrom: from_seq } = this;
    this.client
      .request({ type: 'thread.open', thread_id, from_seq })
      .catch((error: unknown) => this._onOpenFailed(error));
  }

  private _close(): void {
    const { threadId: thread_id } = this;
    this.client
      .request({ type: 'thread.close', thread_id })
      .catch((error: unknown) => {
        // Whatever the answer, nobody listens any more; only a mistake of ours may be heard.
        if (!(error instanceof CommandError)) {
          throw error;
        }
      });
  }

  private _onOpenFailed(error: unknown): void {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    // The connection comes back by itself, and the thread is opened again with it.
    if (!this._isDisposed && error.code !== 'link_lost') {
      this._break(error.message);
    }
  }

  private readonly _onReceived = (
    _: IClient,
    message: Event | Signal
  ): void => {
    if (message.thread_id !== this.threadId || this._stage === 'broken') {
      return;
    }
    switch (message.type) {
      case 'kernel.state':
        this._kernel = message;
        break;
      case 'writer.lease':
        this._lease = message;
        break;
      case 'caught_up':
        this._onCaughtUp(message);
        break;
      case 'thread.fault':
        this._fault = message;
        break;
      default:
        this._onEvent(message);
    }
    this._touch();
  };

  private _onEvent(event: Event): void {
    if (!this._startsOver(event)) {
      if (event.seq <= this._seq) {
        return;
      }
      if (!this._continues(event)) {
        this._onGap();
        return;
      }
    }
    try {
      this._state = reduce(this._state, event);
      this._fault = null;
    } catch (error) {
      console.error(error);
      this._break(UNREADABLE);
    }
  }

  /** The server's journal ends before what this page has seen, so it tells all of it. */
  private _startsOver(event: Event): boolean {
    return (
      this._stage === 'opening' &&
      this._askedFrom > 0 &&
      event.seq <= this._askedFrom &&
      (event.type === 'thread.created' || event.type === 'thread.snapshot')
    );
  }

  /** A snapshot stands for all before it; every other event follows the one before. */
  private _continues(event: Event): boolean {
    if (event.type === 'thread.snapshot') {
      return true;
    }
    return this._state === null
      ? event.type === 'thread.created'
      : event.seq === this._seq + 1;
  }

  private _onCaughtUp(signal: CaughtUp): void {
    this._serverReadOnly = signal.read_only;
    if (signal.seq > this._seq) {
      this._askAgain();
    } else {
      this._stage = 'following';
    }
  }

  private _onGap(): void {
    // While it opens, the missing events are on their way.
    if (this._stage === 'following') {
      this._askAgain();
    }
  }

  /** Ask for what is missing, once: what does not come then can't be read here. */
  private _askAgain(): void {
    if (this._gapAfter === this._seq) {
      this._break(UNREADABLE);
      return;
    }
    this._gapAfter = this._seq;
    this._open();
  }

  private _break(problem: string): void {
    this._stage = 'broken';
    this._problem = problem;
    this._touch();
  }

  private _touch(): void {
    this._cancelFrame ??= this._schedule(() => {
      this._cancelFrame = null;
      this._changed.emit();
    });
  }
}

const UNREADABLE =
  "Some of this thread can't be read by this page; what is shown is not all. Reload the page.";
