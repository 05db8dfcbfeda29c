import type { TranslationBundle } from '@jupyterlab/translation';

import type { ActionFormat, CallState, Usage } from '../../protocol/generated';
import { never } from '../../state/never';
import {
  type BudgetUse,
  type Cost,
  exactCost,
  exactCount,
  type Money,
  shortCost,
  shortCount
} from '../../state/summary';
import { durationWords } from '../run/looks';

/** Stands before what was counted here, in a table. */
export const ABOUT = '≈';

/** A thread's tokens, short; a sum that was in part counted here says so. */
export function tokenWords(usage: Usage, trans: TranslationBundle): string {
  const count = usage.prompt + usage.completion;
  const { digits, unit } = shortCount(count);
  return usage.estimated
    ? trans._n('about %2 token', 'about %2 tokens', count, digits + unit)
    : trans._n('%2 token', '%2 tokens', count, digits + unit);
}

/** Money, short. */
export function moneyWords(money: Money, trans: TranslationBundle): string {
  return money.cost === null
    ? trans.__('price unknown')
    : withUnknown(costWords(shortCost(money.cost), trans), money, trans);
}

/** Money to the last digit. */
export function exactMoneyWords(
  money: Money,
  trans: TranslationBundle
): string {
  return money.cost === null
    ? trans.__('unknown')
    : withUnknown(costWords(exactCost(money.cost), trans), money, trans);
}

function withUnknown(
  words: string,
  money: Money,
  trans: TranslationBundle
): string {
  return money.unpriced > 0 ? trans.__('%1 and unknown', words) : words;
}

function costWords(cost: Cost, trans: TranslationBundle): string {
  return cost.below
    ? trans.__('under $%1', cost.digits)
    : trans.__('$%1', cost.digits);
}

/** A model call: which of its turn, to which model, how that acted, and who counted. */
export function callWords(call: CallState, trans: TranslationBundle): string {
  const how = formatWords(call.format, trans);
  return call.usage?.estimated
    ? trans.__('Call %1: %2, %3, counted here', call.call, call.model, how)
    : trans.__('Call %1: %2, %3', call.call, call.model, how);
}

function formatWords(format: ActionFormat, trans: TranslationBundle): string {
  switch (format) {
    case 'tools':
      return trans.__('by tool calls');
    case 'fences':
      return trans.__('by fenced code');
    default:
      return never(format);
  }
}

/** How much of a bound is used. */
export function budgetWords(use: BudgetUse, trans: TranslationBundle): string {
  const { used, bound } = use;
  switch (use.kind) {
    case 'runs':
      return trans._n('%2 of %1 run', '%2 of %1 runs', bound, used);
    case 'tokens':
      return trans.__('%1 of %2 tokens', exactCount(used), exactCount(bound));
    case 'cost':
      return trans.__(
        '%1 of %2',
        costWords(exactCost(used), trans),
        costWords(exactCost(bound), trans)
      );
    case 'seconds':
      return trans.__('%1 of %2', durationWords(used), durationWords(bound));
    default:
      return never(use.kind);
  }
}
