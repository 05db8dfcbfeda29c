import type { Usage } from '../protocol/generated';

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
export interface ShortCost {
  readonly digits: string;
  readonly below: boolean;
}

/**
 * What usage is told by.
 */
export interface UsageParts {
  readonly tokens: ShortCount;
  /** Tokens of the prompt that the provider had kept. */
  readonly cached: ShortCount;
  /** Null when no price is known. */
  readonly cost: ShortCost | null;
  readonly priceSource: string | null;
  readonly calls: number;
  readonly runs: number;
}

/**
 * Usage as the parts of its text.
 */
export function usageParts(usage: Usage): UsageParts {
  return {
    tokens: shortCount(usage.prompt + usage.completion),
    cached: shortCount(usage.cached),
    cost: usage.cost === null ? null : shortCost(usage.cost),
    priceSource: usage.price_source,
    calls: usage.calls,
    runs: usage.runs
  };
}

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
 * Shorten money to cents; something is never told as nothing.
 */
export function shortCost(cost: number): ShortCost {
  const below = cost > 0 && cost < 0.01;
  return { digits: below ? '0.01' : cost.toFixed(2), below };
}
