import type { Budget, Budgets, Usage } from '../protocol/generated';
import { never } from './never';

/** What a budget bounds. */
export type Bounded = keyof Budget;

const KINDS: readonly Bounded[] = ['runs', 'tokens', 'cost', 'seconds'];

/**
 * How much of a bound is used; cost in US dollars.
 */
export interface BudgetUse {
  readonly kind: Bounded;
  readonly used: number;
  readonly bound: number;
}

/**
 * Of two budgets the stricter one, bound by bound.
 */
function stricter(one: Budget, other: Budget): Budget {
  return {
    runs: least(one.runs, other.runs),
    tokens: least(one.tokens, other.tokens),
    cost: least(one.cost, other.cost),
    seconds: least(one.seconds, other.seconds)
  };
}

/**
 * The budgets in force: the person's own, as far as those of the server allow.
 */
export function budgetsInForce(own: Budgets, caps: Budgets): Budgets {
  return {
    turn: stricter(own.turn, caps.turn),
    thread: stricter(own.thread, caps.thread)
  };
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) {
    return one ?? other;
  }
  return Math.min(one, other);
}

/**
 * How much of a budget is used, for what it bounds; `from` is where the count began.
 */
export function budgetUse(
  budget: Budget,
  now: Usage,
  from: Usage | null = null
): BudgetUse[] {
  return KINDS.flatMap(kind => {
    const bound = budget[kind];
    const used = amount(now, kind) - (from === null ? 0 : amount(from, kind));
    return bound === null ? [] : [{ kind, used, bound }];
  });
}

function amount(usage: Usage, kind: Bounded): number {
  switch (kind) {
    case 'runs':
      return usage.runs;
    case 'tokens':
      return usage.prompt + usage.completion;
    case 'cost':
      return usage.cost ?? 0;
    case 'seconds':
      return usage.seconds;
    default:
      return never(kind);
  }
}
