import type { IDisposable } from '@lumino/disposable';

import type { IClient } from '../state/client';
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
 * Follows the thread of each notebook that comes to the front, and all that run,
 * so that their cells come in also while another thread is shown. Shows the
 * notebook's thread as long as the person has not chosen one.
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
    for (const { thread_id: id, running } of threads.threads) {
      if (running || id === current) {
        followed.open(id);
      }
    }
    if (current !== null && shown.untouched) {
      shown.open(current);
    }
  }

  private _path: string | null = null;
  private _disposed = false;
}
