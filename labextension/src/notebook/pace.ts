import { LIMITS } from './limits';

/**
 * How long to wait between two updates of a cell that holds so many characters of text: all of it
 * is drawn anew each time.
 */
export function intervalFor(chars: number): number {
  return LIMITS.outputMs + chars * LIMITS.outputMsPerChar;
}

/**
 * Spaces out what is done often: says whether something may be done now, and wakes its owner when
 * what had to wait may be.
 */
export class Pace {
  constructor(private readonly _wake: () => void) {}

  /** Whether `interval` milliseconds have passed since `key` was last done; counts it as done. */
  take(key: string, interval: number): boolean {
    const now = Date.now();
    const wait = (this._last.get(key) ?? -Infinity) + interval - now;
    if (wait > 0) {
      this.wakeIn(wait);
      return false;
    }
    this._last.set(key, now);
    return true;
  }

  /** Let something be done at once the next time. */
  forget(key: string): void {
    this._last.delete(key);
  }

  /** Wake the owner in so many milliseconds, or earlier. */
  wakeIn(milliseconds: number): void {
    const due = Date.now() + milliseconds;
    if (this._timer !== null && this._due <= due) {
      return;
    }
    this._clear();
    this._due = due;
    this._timer = window.setTimeout(() => {
      this._timer = null;
      this._wake();
    }, milliseconds);
  }

  dispose(): void {
    this._clear();
  }

  private _clear(): void {
    if (this._timer !== null) {
      window.clearTimeout(this._timer);
      this._timer = null;
    }
  }

  private readonly _last = new Map<string, number>();
  private _timer: number | null = null;
  private _due = 0;
}
