import type { Part, ThreadState } from '../protocol/generated';

/** What a message holds: something. */
export type Content = [Part, ...Part[]];

/** A message between the click and the first event of it. */
export interface IPending {
  readonly id: number;
  readonly content: Content;
  /** The thread it goes to, or null while that is being made. */
  readonly threadId: string | null;
  /** The turn or queued message that it became, once the server said so. */
  readonly becomes: string | null;
  /** Whether the person has pressed Stop since. */
  readonly stopped: boolean;
}

/**
 * The messages on their way, of all threads.
 */
export class PendingMessages {
  /** Add one; returns its id. */
  add(content: Content, threadId: string | null): number {
    const id = ++this._lastId;
    const message = { id, content, threadId, becomes: null, stopped: false };
    this._all = [...this._all, message];
    return id;
  }

  update(id: number, fields: Partial<IPending>): void {
    this._all = this._all.map(message =>
      message.id === id ? { ...message, ...fields } : message
    );
  }

  drop(id: number): void {
    this._all = this._all.filter(message => message.id !== id);
  }

  /** Stop was pressed while this thread was shown. */
  stop(threadId: string | null): void {
    this._all = this._all.map(message =>
      message.threadId === null || message.threadId === threadId
        ? { ...message, stopped: true }
        : message
    );
  }

  wasStopped(id: number): boolean {
    return this._all.some(message => message.id === id && message.stopped);
  }

  /** A message is done with when its turn, or its place in the queue, is seen. */
  settle(state: ThreadState | null): void {
    const seen = new Set([
      ...(state?.turns.map(turn => turn.turn_id) ?? []),
      ...(state?.queue.map(message => message.message_id) ?? [])
    ]);
    this._all = this._all.filter(
      message => message.becomes === null || !seen.has(message.becomes)
    );
  }

  /** Those of the thread shown; null is the one that begins. */
  in(threadId: string | null): readonly IPending[] {
    return this._all.filter(message => message.threadId === threadId);
  }

  private _all: readonly IPending[] = [];
  private _lastId = 0;
}
