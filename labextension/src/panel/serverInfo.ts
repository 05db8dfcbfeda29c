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

  /** Ask for the status; again if something was changed meanwhile, which it may not know of. */
  async load(): Promise<void> {
    try {
      const changes = this._changes;
      const status = await this.api.status();
      if (changes === this._changes) {
        this._set(status, null);
      } else {
        await this.load();
      }
    } catch (reason) {
      this._set(this._status, sentence(reason));
    }
  }

  /** Choose a model; rejects with the server's sentence. */
  async save(settings: ModelSettings): Promise<void> {
    await this._change(this.api.saveSettings(settings));
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
      await this._change(this.api.forgetModel(name));
    }
  }

  /** Set the person's own budgets; rejects with the server's sentence. */
  async saveBudgets(budgets: Budgets): Promise<void> {
    await this._change(this.api.saveBudgets(budgets));
  }

  /** Take the status that answers a change. */
  private async _change(answer: Promise<ServerStatus>): Promise<void> {
    this._changes += 1;
    try {
      this._set(await answer, null);
    } finally {
      this._changes += 1;
    }
  }

  private _set(status: ServerStatus | null, problem: string | null): void {
    this._status = status;
    this._problem = problem;
    this._changed.emit();
  }

  /** Counts the changes that were asked for, and those that were answered. */
  private _changes = 0;
  private _status: ServerStatus | null = null;
  private _problem: string | null = null;
  private readonly _changed = new Signal<this, void>(this);
}
