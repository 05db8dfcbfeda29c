import type { Budget, Budgets } from '../protocol/generated';
import { type Measure, readAmount, writeAmount } from './amounts';

/** What a budget is of. */
export type Span = keyof Budgets;

/** Budgets as they stand in their fields. */
export type BudgetDraft = Readonly<Record<Span, BudgetTexts>>;

/** One budget as it stands in its fields. */
export type BudgetTexts = Readonly<Record<Measure, string>>;

/** The budgets of the person in fields. */
export function draftOfBudgets({ turn, thread }: Budgets): BudgetDraft {
  return { turn: textsOf(turn), thread: textsOf(thread) };
}

/** What is in the fields, or null if something in them is no amount. */
export function budgetsOf({ turn, thread }: BudgetDraft): Budgets | null {
  const budgets = { turn: budgetOf(turn), thread: budgetOf(thread) };
  return budgets.turn && budgets.thread
    ? { turn: budgets.turn, thread: budgets.thread }
    : null;
}

function textsOf(budget: Budget): BudgetTexts {
  return {
    runs: writeAmount('runs', budget.runs),
    tokens: writeAmount('tokens', budget.tokens),
    cost: writeAmount('cost', budget.cost),
    seconds: writeAmount('seconds', budget.seconds)
  };
}

function budgetOf(texts: BudgetTexts): Budget | null {
  const refused: Measure[] = [];
  const read = (measure: Measure): number | null => {
    const amount = readAmount(measure, texts[measure]);
    if (amount.kind === 'refused') {
      refused.push(measure);
    }
    return amount.kind === 'amount' ? amount.value : null;
  };
  const budget = {
    runs: read('runs'),
    tokens: read('tokens'),
    cost: read('cost'),
    seconds: read('seconds')
  };
  return refused.length === 0 ? budget : null;
}
