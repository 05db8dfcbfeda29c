import type { IDisposable } from '@lumino/disposable';

import type { IClient } from '../state/client';
import { LIMITS } from '../state/limits';
import { pathHere } from '../state/roots';
import type { ThreadList } from '../state/threads';
import type { Followed } from './followed';
import type { INotebooks } from './ports';
import type { Shown } from './shown';

export interface IFrontWatchOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly threads: ThreadList;
  readonly followed: Followed;
  readonly shown: Shown;
}

/**
 * Follows the threads of each notebook that comes to the front, and all that run, so that their
 * cells come in also while another thread is shown: after a reload any may have some that were not
 * saved. Shows the thread that the notebook was left with as long as the person has not chosen one.
 */
export class FrontWatch implements IDisposable {
  constructor(private readonly options: IFrontWatchOptions) {
    options.notebooks.changed.connect(this._look, this);
    options.client.linkChanged.connect(this._look, this);
    this._look();
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  dispose(): void {
    this._disposed = true;
    this.options.notebooks.changed.disconnect(this._look, this);
    this.options.client.linkChanged.disconnect(this._look, this);
  }

  private _look(): void {
    const { client, notebooks } = this.options;
    const path = notebooks.front?.path ?? null;
    if (client.link.kind !== 'open' || path === null || path === this._path) {
      return;
    }
    this._path = path;
    this._attend(path).catch((reason: unknown) => {
      this._path = null;
      console.warn('The threads of a notebook could not be listed.', reason);
    });
  }

  private async _attend(path: string): Promise<void> {
    const { threads, followed, shown } = this.options;
    await threads.refresh(path);
    if (this._disposed || threads.path !== path) {
      return;
    }
    const { current } = threads;
    const here = new Set(
      this._ofNotebook(path).slice(0, LIMITS.notebookThreads)
    );
    for (const { thread_id: id, running } of threads.threads) {
      if (running || id === current || here.has(id)) {
        followed.open(id);
      }
    }
    if (current !== null && shown.untouched) {
      shown.open(current);
    }
  }

  /** The threads that act on a notebook from this server, the last changed first. */
  private _ofNotebook(path: string): string[] {
    const { client, threads } = this.options;
    return threads.threads
      .filter(
        ({ target, read_only }) =>
          read_only === null &&
          pathHere(target.notebook, client.rootId) === path
      )
      .map(({ thread_id }) => thread_id);
  }

  private _path: string | null = null;
  private _disposed = false;
}
