import type { IDisposable } from '@lumino/disposable';

import type { IThreadModel } from '../state/client';

/**
 * The threads that this page follows, each with whoever puts its cells into the
 * notebook. They stay as long as the page: a cell may still have to be placed,
 * or confirmed when the file is saved, after another thread is shown.
 */
export class Followed implements IDisposable {
  constructor(
    private readonly follow: (threadId: string) => IThreadModel,
    private readonly attend: (thread: IThreadModel) => IDisposable
  ) {}

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
    this._threads.set(threadId, { thread, attendant: this.attend(thread) });
    return thread;
  }

  /** Whoever attends a followed thread, or null. */
  attendant(threadId: string): IDisposable | null {
    return this._threads.get(threadId)?.attendant ?? null;
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
  }

  private readonly _threads = new Map<
    string,
    { thread: IThreadModel; attendant: IDisposable }
  >();
  private _disposed = false;
}
