import type { Budget } from '../../src/protocol/generated';
import { NO_USAGE } from '../../src/state/blank';
import { budgetsInForce, budgetUse } from '../../src/state/budget';

const NONE: Budget = { runs: null, tokens: null, cost: null, seconds: null };

describe('the budgets in force', () => {
  it('are the stricter of the person’s and the server’s, bound by bound', () => {
    const own = {
      turn: { ...NONE, runs: 3, tokens: 90_000 },
      thread: { ...NONE, cost: 2 }
    };
    const caps = {
      turn: { ...NONE, runs: 12, tokens: 40_000, seconds: 600 },
      thread: NONE
    };
    expect(budgetsInForce(own, caps)).toEqual({
      turn: { runs: 3, tokens: 40_000, cost: null, seconds: 600 },
      thread: { ...NONE, cost: 2 }
    });
  });
});

describe('the use of a budget', () => {
  const used = {
    ...NO_USAGE,
    prompt: 900,
    completion: 100,
    runs: 4,
    cost: 0.5,
    seconds: 30
  };

  it('is told only of what is bounded', () => {
    expect(budgetUse({ ...NONE, tokens: 5_000 }, used)).toEqual([
      { kind: 'tokens', used: 1_000, bound: 5_000 }
    ]);
    expect(budgetUse(NONE, used)).toEqual([]);
  });

  it('is counted from where it was extended', () => {
    const all = { runs: 10, tokens: 5_000, cost: 1, seconds: 60 };
    const from = { ...used, runs: 3, prompt: 400, cost: 0.25, seconds: 10 };
    expect(budgetUse(all, used, from).map(use => use.used)).toEqual([
      1, 500, 0.25, 20
    ]);
  });

  it('of money is none while no price is known', () => {
    const unknown = { ...used, cost: null };
    expect(budgetUse({ ...NONE, cost: 1 }, unknown)).toEqual([
      { kind: 'cost', used: 0, bound: 1 }
    ]);
  });
});
