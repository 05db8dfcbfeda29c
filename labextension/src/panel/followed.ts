import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { IThreadModel } from '../state/client';

/**
 * Whoever puts a thread's cells into its notebook, as the panel knows it.
 */
export interface IAttendant extends IDisposable {
  /** Why cells are not put in now, or null. */
  readonly problem: { readonly text: string } | null;
  readonly problemChanged: ISignal<IAttendant, unknown>;
}

/**
 * The threads that this page follows, each with its attendant. They stay as long
 * as the page: a cell may still have to be placed, or confirmed when the file is
 * saved, after another thread is shown.
 */
export class Followed implements IDisposable {
  constructor(
    private readonly follow: (threadId: string) => IThreadModel,
    private readonly attend: (thread: IThreadModel) => IAttendant
  ) {}

  /** Emitted when an attendant has another problem, or none. */
  get changed(): ISignal<Followed, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  /** Follow a thread, or find the one that is followed. */
  open(threadId: string): IThreadModel {
    const known = this._threads.get(threadId);
    if (known) {
      return known.thread;
    }
    const thread = this.follow(threadId);
    const attendant = this.attend(thread);
    attendant.problemChanged.connect(() => this._changed.emit());
    this._threads.set(threadId, { thread, attendant });
    return thread;
  }

  /** Why the cells of a thread are not put into its notebook now, or null. */
  problem(threadId: string): string | null {
    return this._threads.get(threadId)?.attendant.problem?.text ?? null;
  }

  /** Follow it no longer: it was deleted. */
  drop(threadId: string): void {
    const known = this._threads.get(threadId);
    this._threads.delete(threadId);
    known?.attendant.dispose();
    known?.thread.dispose();
  }

  dispose(): void {
    this._disposed = true;
    for (const threadId of [...this._threads.keys()]) {
      this.drop(threadId);
    }
    Signal.clearData(this);
  }

  private readonly _threads = new Map<
    string,
    { thread: IThreadModel; attendant: IAttendant }
  >();
  private readonly _changed = new Signal<this, void>(this);
  private _disposed = false;
}
