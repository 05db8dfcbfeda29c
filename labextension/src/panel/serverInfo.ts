import { type ISignal, Signal } from '@lumino/signaling';

import type {
  Budgets,
  FoundServers,
  ModelCheck,
  ModelName,
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

  /** Try a model; what the trial taught of it is in the status by then. */
  async check(settings: ModelSettings): Promise<ModelCheck> {
    const check = await this.api.checkModel(settings);
    await this.load();
    return check;
  }

  /** Look for model servers on the machine of the Jupyter server. */
  find(): Promise<FoundServers> {
    return this.api.findServers();
  }

  /** Forget what was learned about these models; those before one that fails are forgotten. */
  async forget(names: readonly ModelName[]): Promise<void> {
    for (const name of names) {
      this._set(await this.api.forgetModel(name), null);
    }
  }

  /** Set the person's own budgets; rejects with the server's sentence. */
  async saveBudgets(budgets: Budgets): Promise<void> {
    this._set(await this.api.saveBudgets(budgets), null);
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
