import { LIMITS } from './limits';

/** The times of a backoff, in milliseconds. */
export interface IBackoffTimes {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly steadyMs: number;
}

const TIMES: IBackoffTimes = {
  firstMs: LIMITS.retryFirstMs,
  maxMs: LIMITS.retryMaxMs,
  steadyMs: LIMITS.steadyMs
};

/**
 * When to try again: doubling, with jitter so that many pages don't return at once.
 */
export class Backoff {
  private _attempt = 0;

  constructor(
    private readonly _times: IBackoffTimes = TIMES,
    private readonly _random: () => number = Math.random
  ) {}

  /** How many attempts in a row have failed. */
  get attempt(): number {
    return this._attempt;
  }

  /**
   * Count a lost connection that had been open so long (0 if it never was); gives the wait in
   * milliseconds, between half and all of the doubled time.
   */
  lost(openMs: number): number {
    this._attempt = openMs >= this._times.steadyMs ? 1 : this._attempt + 1;
    const { firstMs, maxMs } = this._times;
    const full = Math.min(maxMs, firstMs * 2 ** (this._attempt - 1));
    return full * (0.5 + this._random() / 2);
  }
}
