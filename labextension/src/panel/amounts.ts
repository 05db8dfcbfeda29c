import type { Budget } from '../protocol/generated';

/** What a budget counts. */
export type Measure = keyof Budget;

/** What a budget counts, in the order in which it is asked for. */
export const MEASURES: readonly Measure[] = [
  'runs',
  'tokens',
  'cost',
  'seconds'
];

/** Why a text is no amount that a budget can have. */
export type Refusal = 'no_number' | 'fraction' | 'too_small' | 'too_large';

/** What a field of a budget says; an empty one sets no bound. */
export type Amount =
  | { readonly kind: 'none' }
  | { readonly kind: 'amount'; readonly value: number }
  | { readonly kind: 'refused'; readonly why: Refusal };

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)$/;

/** Seconds are written in minutes. */
const MINUTE = 60;

/** The least that the server takes; money may be any amount above nothing. */
export const LEAST: Readonly<Record<Measure, number>> = {
  runs: 1,
  tokens: 1_000,
  cost: 0,
  seconds: 1
};

/** Read what is written in a field of a budget. */
export function readAmount(measure: Measure, text: string): Amount {
  const written = text.trim();
  if (written === '') {
    return { kind: 'none' };
  }
  if (!NUMBER.test(written)) {
    return { kind: 'refused', why: 'no_number' };
  }
  const value =
    measure === 'seconds' ? secondsOf(Number(written)) : Number(written);
  const why = refusal(measure, written, value);
  return why === null ? { kind: 'amount', value } : { kind: 'refused', why };
}

/** To the thousandth, so that what was written from seconds is read as just those. */
function secondsOf(minutes: number): number {
  return Math.round(minutes * MINUTE * 1_000) / 1_000;
}

function refusal(
  measure: Measure,
  written: string,
  value: number
): Refusal | null {
  const isWhole = measure === 'runs' || measure === 'tokens';
  if (value <= 0) {
    return 'too_small';
  }
  if (isWhole && written.includes('.')) {
    return 'fraction';
  }
  if (value < LEAST[measure]) {
    return 'too_small';
  }
  return value > Number.MAX_SAFE_INTEGER ? 'too_large' : null;
}

/** Write an amount as it is read; nothing for no bound. */
export function writeAmount(measure: Measure, value: number | null): string {
  if (value === null) {
    return '';
  }
  // Six digits of a minute are closer than a second.
  return measure === 'seconds'
    ? inDigits(value / MINUTE, 6)
    : inDigits(value, 15);
}

function inDigits(value: number, digits: number): string {
  return value.toLocaleString('en', {
    maximumSignificantDigits: digits,
    useGrouping: false
  });
}
