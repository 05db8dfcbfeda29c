import type { TranslationBundle } from '@jupyterlab/translation';

import { never } from '../state/never';
import {
  type Amount,
  LEAST,
  type Measure,
  type Refusal,
  writeAmount
} from './amounts';
import type { Span } from './budgetDraft';

/** What a budget is of, in words. */
export function spanWords(span: Span, trans: TranslationBundle): string {
  switch (span) {
    case 'turn':
      return trans.__('Each turn');
    case 'thread':
      return trans.__('Each thread');
    default:
      return never(span);
  }
}

/** What a budget counts, and in what. */
export function measureWords(
  measure: Measure,
  trans: TranslationBundle
): string {
  switch (measure) {
    case 'runs':
      return trans.__('Runs');
    case 'tokens':
      return trans.__('Tokens');
    case 'cost':
      return trans.__('US dollars');
    case 'seconds':
      return trans.__('Minutes');
    default:
      return never(measure);
  }
}

/** What holds beside a field: the bound of the server's configuration, or none. */
export function boundWords(
  measure: Measure,
  amount: Amount,
  cap: number | null,
  trans: TranslationBundle
): string {
  if (cap === null) {
    return amount.kind === 'none' ? trans.__('No bound') : '';
  }
  const most = writeAmount(measure, cap);
  return amount.kind === 'amount' && amount.value > cap
    ? trans.__('The bound of the server is lower, and holds: %1', most)
    : trans.__('At most %1', most);
}

/** Why what is written can't be taken, and what can. */
export function refusalWords(
  measure: Measure,
  why: Refusal,
  trans: TranslationBundle
): string {
  switch (why) {
    case 'no_number':
      return measure === 'cost' || measure === 'seconds'
        ? trans.__('Write a number in digits, such as 0.5.')
        : trans.__('Write a whole number in digits, without separators.');
    case 'fraction':
      return trans.__('Write a whole number, without a point.');
    case 'too_small':
      return leastWords(measure, trans);
    case 'too_large':
      return trans.__('Too large; leave it empty for no bound.');
    default:
      return never(why);
  }
}

function leastWords(measure: Measure, trans: TranslationBundle): string {
  switch (measure) {
    case 'cost':
      return trans.__('Write more than 0, or leave it empty for no bound.');
    case 'seconds':
      return trans.__(
        'Write 0.02 (a second) or more, or leave it empty for no bound.'
      );
    case 'runs':
    case 'tokens':
      return trans.__(
        'Write %1 or more, or leave it empty for no bound.',
        String(LEAST[measure])
      );
    default:
      return never(measure);
  }
}
