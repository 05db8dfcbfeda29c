import type { IStateDB } from '@jupyterlab/statedb';
import { type ISignal, Signal } from '@lumino/signaling';

import type { Mode, PrivacyMode, Target } from '../protocol/generated';
import type { IClient, IThreadModel } from '../state/client';
import { keyAt, pathHere } from '../state/roots';
import type { ThreadList } from '../state/threads';
import type { INotebooks } from './ports';

const KEY = 'cave-lab:panel';

/** What a thread is set to before its first message makes it. */
export interface IFresh {
  readonly mode: Mode | null;
  readonly privacy: PrivacyMode | null;
  readonly model: string | null;
}

/** Settings of a thread that the person may change. */
export type Settings = Partial<{
  title: string;
  mode: Mode;
  privacy: PrivacyMode;
  model: string;
  target: Target;
}>;

const UNSET: IFresh = { mode: null, privacy: null, model: null };

export interface IShownOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly threads: ThreadList;
  readonly db: IStateDB | null;
  /** Follow a thread; one that is followed already is the same. */
  readonly follow: (threadId: string) => IThreadModel;
}

/**
 * The thread that the panel shows: one that exists, or one that begins with its
 * first message. Only the second follows the notebook in front.
 */
export class Shown {
  constructor(private readonly options: IShownOptions) {
    window.addEventListener('focus', this.lookAgain);
  }

  get changed(): ISignal<Shown, void> {
    return this._changed;
  }

  get thread(): IThreadModel | null {
    return this._thread;
  }

  get fresh(): IFresh {
    return this._fresh;
  }

  /** The notebook of this server's that it acts on, or would act on. */
  get path(): string | null {
    if (this._thread) {
      const { rootId } = this.options.client;
      return pathHere(this._thread.state?.target.notebook, rootId);
    }
    // A thread on its way was asked for with the notebook that was in front then.
    const { front } = this.options.notebooks;
    return this._making ? this._making.path : (front?.path ?? null);
  }

  /** The key of its draft. */
  get key(): string {
    return this._thread?.threadId ?? 'new';
  }

  /** Show the thread that was shown before the page was reloaded, once the root is known. */
  async restore(): Promise<void> {
    await opened(this.options.client);
    const stored = await this.options.db?.fetch(this._storedKey);
    if (typeof stored === 'string' && this.untouched) {
      this.open(stored);
    }
  }

  /** Whether the panel shows what it showed first: nobody has chosen yet. */
  get untouched(): boolean {
    return this._thread === null && !this._chosen;
  }

  open(threadId: string): void {
    if (this._thread?.threadId !== threadId) {
      this._show(this.options.follow(threadId));
    }
    this.lookAgain();
  }

  /** Ask for what is new if the thread lives on another server; also whenever the page is come back to. */
  readonly lookAgain = (): void => this._thread?.lookAgain();

  /** Begin a thread with the next message; the kernel stays as it is. */
  begin(fresh: IFresh = UNSET): void {
    this._chosen = true;
    this._fresh = fresh;
    this._show(null);
  }

  /** The thread shown, made now if it did not exist. */
  async ensure(): Promise<IThreadModel> {
    if (this._thread) {
      return this._thread;
    }
    if (this._making === null) {
      const { front } = this.options.notebooks;
      const made = this._make(front?.target ?? {});
      const thread = made.finally(() => (this._making = null));
      this._making = { path: front?.path ?? null, thread };
    }
    return this._making.thread;
  }

  private async _make(target: Partial<Target>): Promise<IThreadModel> {
    const { threads, follow } = this.options;
    const thread = follow(await threads.create(target, this._fresh));
    this._show(thread);
    return thread;
  }

  /** Change settings of the thread; rejects with the server's sentence. */
  async set(settings: Settings): Promise<void> {
    if (this._thread === null) {
      const { mode, privacy, model } = { ...this._fresh, ...settings };
      this._fresh = { mode, privacy, model };
      this._changed.emit();
      return;
    }
    await this.options.client.request({
      type: 'thread.change',
      thread_id: this._thread.threadId,
      ...settings
    });
  }

  dispose(): void {
    window.removeEventListener('focus', this.lookAgain);
    Signal.clearData(this);
  }

  private _show(thread: IThreadModel | null): void {
    this._thread?.changed.disconnect(this._forward, this);
    this._thread = thread;
    thread?.changed.connect(this._forward, this);
    this._remember(thread?.threadId ?? null);
    this._changed.emit();
  }

  private _forward(): void {
    this._changed.emit();
  }

  private get _storedKey(): string {
    return keyAt(KEY, this.options.client.rootId);
  }

  private _remember(threadId: string | null): void {
    this.options.db
      ?.save(this._storedKey, threadId)
      .catch((reason: unknown) => {
        console.warn('The open thread could not be remembered.', reason);
      });
  }

  private _thread: IThreadModel | null = null;
  private _making: {
    readonly path: string | null;
    readonly thread: Promise<IThreadModel>;
  } | null = null;
  private _fresh: IFresh = UNSET;
  private _chosen = false;
  private readonly _changed = new Signal<this, void>(this);
}

/** Wait until the connection has been open. */
function opened(client: IClient): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (client.link.kind === 'open') {
        client.linkChanged.disconnect(look);
        resolve();
      }
    };
    client.linkChanged.connect(look);
    look();
  });
}
