import type { IDisposable } from '@lumino/disposable';
import { Signal as Emitter, type ISignal } from '@lumino/signaling';

import type { Target, ThreadSettings } from '../protocol/commands.generated';
import type { Result, ThreadSummary } from '../protocol/generated';
import { CommandError, type IClient } from './client';
import { isElsewhere, keyAt } from './roots';

/**
 * Where the choice of thread is remembered from one page to the next.
 */
export interface IMemory {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

/**
 * The threads of a notebook and recent others, and which of them the notebook was left with.
 */
export class ThreadList implements IDisposable {
  private readonly _changed = new Emitter<ThreadList, void>(this);
  private _path: string | null = null;
  private _threads: readonly ThreadSummary[] = [];
  private _current: string | null = null;
  private _asked = 0;
  private _isDisposed = false;

  constructor(
    private readonly _client: IClient,
    private readonly _memory: IMemory
  ) {}

  /** The notebook whose threads are listed first, or null. */
  get path(): string | null {
    return this._path;
  }

  /** As the server listed them last. */
  get threads(): readonly ThreadSummary[] {
    return this._threads;
  }

  /** The id of the thread that the notebook was left with, or of its newest, or null. */
  get current(): string | null {
    return this._current;
  }

  /** Emitted when the path, the list or the current thread is another one. */
  get changed(): ISignal<ThreadList, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (!this._isDisposed) {
      this._isDisposed = true;
      Emitter.clearData(this);
    }
  }

  /**
   * Ask for the threads of a notebook first, then recent others; rejects with `CommandError`.
   *
   * Of several asked for at once the last one counts.
   */
  async refresh(path: string | null = this._path): Promise<void> {
    const ask = ++this._asked;
    const result = await this._client.request({ type: 'thread.list', path });
    // Only a server that has answered has said which root is ours.
    const remembered =
      path === null ? null : await this._memory.get(this._keyOf(path));
    if (ask !== this._asked) {
      return;
    }
    this._path = path;
    this._threads = expect(result, 'threads').threads;
    this._current = choose(
      this._threads.filter(
        ({ target }) => !isElsewhere(target.notebook, this._client.rootId)
      ),
      path,
      remembered
    );
    this._changed.emit();
  }

  /**
   * Begin a thread and make it its notebook's current one; gives its id.
   */
  async create(target: Target, settings: ThreadSettings = {}): Promise<string> {
    const type = 'thread.create';
    const result = await this._client.request({ type, target, settings });
    const { thread_id } = expect(result, 'thread');
    await this.select(thread_id, target.notebook?.path ?? null);
    return thread_id;
  }

  /**
   * Make a thread the current one of a notebook, and remember it.
   */
  async select(
    threadId: string,
    path: string | null = this._path
  ): Promise<void> {
    if (path === this._path) {
      this._current = threadId;
      this._changed.emit();
    }
    if (path !== null) {
      await this._memory.set(this._keyOf(path), threadId);
    }
  }

  private _keyOf(path: string): string {
    return keyAt(`cave-lab:thread:${path}`, this._client.rootId);
  }
}

/** Of the threads under this root, the remembered one if it is still there, else the notebook's newest. */
function choose(
  threads: readonly ThreadSummary[],
  path: string | null,
  remembered: string | null
): string | null {
  if (threads.some(thread => thread.thread_id === remembered)) {
    return remembered;
  }
  const own = threads.filter(
    thread => path !== null && thread.target.notebook?.path === path
  );
  return own.length === 0 ? null : own.reduce(newer).thread_id;
}

function newer(first: ThreadSummary, second: ThreadSummary): ThreadSummary {
  return Date.parse(second.changed) > Date.parse(first.changed)
    ? second
    : first;
}

function expect<T extends Result['type']>(
  result: Result | null,
  type: T
): Extract<Result, { type: T }> {
  if (result?.type !== type) {
    throw new CommandError(
      'unexpected_reply',
      'The server answered something else than was asked. Reload the page.'
    );
  }
  return result as Extract<Result, { type: T }>;
}
