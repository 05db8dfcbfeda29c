import type { IDisposable } from '@lumino/disposable';

import type { IClient } from '../state/client';
import type { INotebooks } from './ports';
import type { Shown } from './shown';

export interface IKernelNoticeOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly shown: Shown;
}

/**
 * Lets the server look for a kernel that this page sees and the server does not: it looks when a
 * thread is opened, which may be before the notebook's kernel was started.
 */
export class KernelNotice implements IDisposable {
  constructor(private readonly options: IKernelNoticeOptions) {
    options.notebooks.changed.connect(this._look, this);
    options.shown.changed.connect(this._look, this);
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  dispose(): void {
    this._disposed = true;
    this.options.notebooks.changed.disconnect(this._look, this);
    this.options.shown.changed.disconnect(this._look, this);
  }

  private _look(): void {
    const { client, notebooks, shown } = this.options;
    const { thread, path } = shown;
    const kernelId = path && notebooks.find(path)?.target.kernel_id;
    if (!thread?.caughtUp || thread.readOnly !== null || !kernelId) {
      return;
    }
    const seen = `${thread.threadId} ${kernelId}`;
    if (thread.kernel?.state !== 'none' || this._told === seen) {
      return;
    }
    this._told = seen;
    client
      .request({ type: 'variables.look', thread_id: thread.threadId })
      .catch((reason: unknown) => {
        console.warn('The server did not look for the kernel.', reason);
      });
  }

  /** The thread and the kernel that were told of last. */
  private _told: string | null = null;
  private _disposed = false;
}
