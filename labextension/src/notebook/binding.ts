import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import type { IThreadModel } from '../state/client';
import { pathHere } from '../state/roots';
import { findPanel, pathOf, targetOf } from './target';

/**
 * Keeps a thread and the panel of its notebook together, also when the file is renamed: the server
 * is told the new path, and until it has taken it the panel is known by the old one.
 */
export class ThreadBinding implements IDisposable {
  constructor(
    private readonly _thread: IThreadModel,
    private readonly _tracker: INotebookTracker,
    private readonly _contents: Contents.IManager
  ) {
    _tracker.widgetAdded.connect(this._onPanels, this);
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  /** Emitted when the panel may be another one. */
  get changed(): ISignal<ThreadBinding, void> {
    return this._changed;
  }

  /** The open panel of the thread's notebook, or null. */
  get panel(): NotebookPanel | null {
    const { state, client } = this._thread;
    const path = pathHere(state?.target.notebook, client.rootId);
    if (path === null) {
      this._hold(null);
    } else if (!this._isAt(path)) {
      this._hold(findPanel(this._tracker, this._contents, path));
    }
    return this._panel;
  }

  dispose(): void {
    if (this._disposed) {
      return;
    }
    this._disposed = true;
    this._hold(null);
    this._tracker.widgetAdded.disconnect(this._onPanels, this);
    Signal.clearData(this);
  }

  /** Whether the panel held is that of a path, now or before it was renamed. */
  private _isAt(path: string): boolean {
    if (!this._panel || this._panel.isDisposed) {
      return false;
    }
    if (pathOf(this._panel, this._contents) === path) {
      this._formerPaths.clear();
      return true;
    }
    return this._formerPaths.has(path);
  }

  private _hold(panel: NotebookPanel | null): void {
    const old = this._panel;
    if (old === panel) {
      return;
    }
    this._panel = panel;
    this._formerPaths.clear();
    if (old && !old.isDisposed) {
      old.disposed.disconnect(this._onPanels, this);
      old.context.pathChanged.disconnect(this._onPath, this);
      old.sessionContext.kernelChanged.disconnect(this._onKernel, this);
    }
    if (panel) {
      this._path = pathOf(panel, this._contents);
      panel.disposed.connect(this._onPanels, this);
      panel.context.pathChanged.connect(this._onPath, this);
      panel.sessionContext.kernelChanged.connect(this._onKernel, this);
    }
  }

  private _onPath(): void {
    const panel = this._panel;
    if (!panel) {
      return;
    }
    this._formerPaths.add(this._path);
    this._path = pathOf(panel, this._contents);
    this._tell(panel);
    this._changed.emit();
  }

  /** A kernel that the person started, or another one: the server looks for it only when told. */
  private _onKernel(): void {
    const panel = this._panel;
    const id = panel?.sessionContext.session?.kernel?.id;
    if (panel && id && id !== this._thread.kernel?.kernel_id) {
      this._tell(panel);
    }
  }

  private _tell(panel: NotebookPanel): void {
    const { client, readOnly, threadId: thread_id } = this._thread;
    if (readOnly !== null) {
      return;
    }
    const target = targetOf(panel, this._contents, client.rootId);
    client
      .request({ type: 'thread.change', thread_id, target })
      .catch((reason: unknown) => {
        console.warn('Where the thread acts now was not taken.', reason);
      });
  }

  private _onPanels(): void {
    this._changed.emit();
  }

  private readonly _changed = new Signal<this, void>(this);
  private readonly _formerPaths = new Set<string>();
  private _panel: NotebookPanel | null = null;
  private _path = '';
  private _disposed = false;
}
