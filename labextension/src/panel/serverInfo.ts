import { type ISignal, Signal } from '@lumino/signaling';

import type {
  ModelCheck,
  ModelSettings,
  ServerStatus
} from '../protocol/generated';
import type { IApi } from './ports';
import { sentence } from './sentence';

/**
 * What the server says of itself: the model chosen, the modes allowed, what is wrong.
 */
export class ServerInfo {
  constructor(private readonly api: IApi) {}

  get changed(): ISignal<ServerInfo, void> {
    return this._changed;
  }

  /** Null until the server has answered. */
  get status(): ServerStatus | null {
    return this._status;
  }

  /** Why there is no status, in a sentence. */
  get problem(): string | null {
    return this._problem;
  }

  async load(): Promise<void> {
    try {
      this._set(await this.api.status(), null);
    } catch (reason) {
      this._set(this._status, sentence(reason));
    }
  }

  /** Choose a model; rejects with the server's sentence. */
  async save(settings: ModelSettings): Promise<void> {
    this._set(await this.api.saveSettings(settings), null);
  }

  async check(settings: ModelSettings): Promise<ModelCheck> {
    return this.api.checkModel(settings);
  }

  private _set(status: ServerStatus | null, problem: string | null): void {
    this._status = status;
    this._problem = problem;
    this._changed.emit();
  }

  private _status: ServerStatus | null = null;
  private _problem: string | null = null;
  private readonly _changed = new Signal<this, void>(this);
}
