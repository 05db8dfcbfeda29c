import type { CallState, ThreadState, Usage } from '../protocol/generated';

/**
 * A count as it is read: `950`, `12.3` and `k`, `1.2` and `M`.
 */
export interface ShortCount {
  readonly digits: string;
  readonly unit: '' | 'k' | 'M';
}

/**
 * Money in US dollars as it is read; `below` means less than these digits.
 */
export interface Cost {
  readonly digits: string;
  readonly below: boolean;
}

/**
 * What calls cost, as far as is known; with `unpriced` calls of unknown price.
 */
export interface Money {
  /** In US dollars; null if no price is known. */
  readonly cost: number | null;
  readonly unpriced: number;
}

/** Digits are grouped as the words around them are written. */
const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A single token of a cheap model costs about a tenth of a millionth of a dollar. */
const LEAST_COST = 0.000001;
const CENTS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2
});
const COST = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6
});

/**
 * Shorten a count to three digits or so.
 */
export function shortCount(count: number): ShortCount {
  // What would round to 1000.0k is told in millions.
  if (count >= 999_950) {
    return { digits: (count / 1_000_000).toFixed(1), unit: 'M' };
  }
  if (count >= 1_000) {
    return { digits: (count / 1_000).toFixed(1), unit: 'k' };
  }
  return { digits: String(count), unit: '' };
}

/**
 * A count to its last digit, its thousands apart.
 */
export function exactCount(count: number): string {
  return COUNT.format(count);
}

/**
 * Shorten money to cents; something is never told as nothing.
 */
export function shortCost(cost: number): Cost {
  const below = cost > 0 && cost < 0.01;
  return { digits: CENTS.format(below ? 0.01 : cost), below };
}

/**
 * Money to a millionth of a dollar; something is never told as nothing.
 */
export function exactCost(cost: number): Cost {
  const below = cost > 0 && cost < LEAST_COST;
  return { digits: COST.format(below ? LEAST_COST : cost), below };
}

/**
 * What calls cost, of which `usage` is the sum; null where money is not worth a word: nothing
 * was called, or only what costs none, which is the model named `free`.
 */
export function moneyOf(
  usage: Usage,
  calls: readonly CallState[],
  free: string | null
): Money | null {
  const used = calls.filter(call => call.usage !== null);
  const toldFree = used.filter(call => call.model === free);
  if (toldFree.length === used.length) {
    return null;
  }
  const unknown = toldFree.filter(call => call.usage?.cost === null);
  return {
    cost: usage.cost,
    unpriced: Math.max(0, usage.unpriced - unknown.length)
  };
}

/** All model calls of a thread. */
export function callsOf(state: ThreadState): CallState[] {
  return state.turns.flatMap(turn => turn.calls);
}

/**
 * Where the prices of calls come from, each named once.
 */
export function priceSources(calls: readonly CallState[]): string[] {
  const named = calls.flatMap(call => call.usage?.price_source ?? []);
  return [...new Set(named)].filter(source => source !== '');
}
