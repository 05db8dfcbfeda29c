import { budgetsOf, draftOfBudgets } from '../../src/panel/budgetDraft';
import type { Budgets } from '../../src/protocol/generated';
import { NO_BUDGET } from '../support/panel';

const BUDGETS: Budgets = {
  turn: { runs: 3, tokens: 50_000, cost: 0.25, seconds: 90 },
  thread: NO_BUDGET
};

describe('the budgets in their fields', () => {
  it('are read as they were stored, with time in minutes', () => {
    const draft = draftOfBudgets(BUDGETS);
    expect(draft.turn).toEqual({
      runs: '3',
      tokens: '50000',
      cost: '0.25',
      seconds: '1.5'
    });
    expect(budgetsOf(draft)).toEqual(BUDGETS);
  });

  it.each(['turn', 'thread'] as const)(
    'are none while a field of each %s makes no sense',
    span => {
      const draft = draftOfBudgets(BUDGETS);
      const texts = { ...draft[span], cost: 'much' };
      expect(budgetsOf({ ...draft, [span]: texts })).toBeNull();
    }
  );
});
