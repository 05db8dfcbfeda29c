import type { TranslationBundle } from '@jupyterlab/translation';

import { never } from '../state/never';
import { exactCount } from '../state/summary';

/** Why a text is no size of a context window. */
type Refusal = 'no_number' | 'too_small' | 'too_large';

/** What the field for a model's context window says; an empty one leaves it to CaveLab. */
export type WindowText =
  | { readonly kind: 'none' }
  | { readonly kind: 'tokens'; readonly value: number }
  | { readonly kind: 'refused'; readonly why: Refusal };

/** The least and the most that the server takes (`ModelOptions.window`). */
const LEAST = 2_048;
const MOST = 10_000_000;

/** Digits, with or without their thousands set apart, or as providers write it: `128k`, `1.5M`. */
const WRITTEN = /^(\d{1,3}(?:[,_\s]\d{3})+|\d+(?:\.\d+)?)\s?([km])?$/i;

const UNITS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** Read the size of a context window in tokens. */
export function readWindow(text: string): WindowText {
  const written = text.trim();
  if (written === '') {
    return { kind: 'none' };
  }
  const [, digits = '', unit = ''] = WRITTEN.exec(written) ?? [];
  const number = Number(digits.replace(/[,_\s]/g, ''));
  const value = nearly(number * (UNITS[unit.toLowerCase()] ?? 1));
  const why = refusal(digits, value);
  return why === null ? { kind: 'tokens', value } : { kind: 'refused', why };
}

/** A whole number where only the arithmetic missed it: 4.1 × 1,000,000 is one. */
function nearly(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 ? whole : value;
}

/** Write a size as it is read; nothing where CaveLab finds it out. */
export function writeWindow(window: number | null): string {
  return window === null ? '' : String(window);
}

function refusal(digits: string, value: number): Refusal | null {
  if (digits === '' || !Number.isInteger(value)) {
    return 'no_number';
  }
  if (value < LEAST) {
    return 'too_small';
  }
  return value > MOST ? 'too_large' : null;
}

/** What is written comes to, or why it can't be taken and what can. */
export function windowWords(
  window: WindowText,
  trans: TranslationBundle
): string {
  switch (window.kind) {
    case 'none':
      return trans.__('Found out by CaveLab.');
    case 'tokens':
      return trans.__(
        '%1 tokens in one call, the answer included.',
        exactCount(window.value)
      );
    case 'refused':
      return refusalWords(window.why, trans);
    default:
      return never(window);
  }
}

function refusalWords(why: Refusal, trans: TranslationBundle): string {
  switch (why) {
    case 'no_number':
      return trans.__('Write a whole number of tokens, such as 32768 or 128k.');
    case 'too_small':
      return trans.__(
        'Write %1 or more, or leave it empty: CaveLab then finds it out.',
        exactCount(LEAST)
      );
    case 'too_large':
      return trans.__('Write %1 or less.', exactCount(MOST));
    default:
      return never(why);
  }
}
