import React from 'react';

import type { ThreadState } from '../../protocol/generated';
import { type BudgetUse, budgetsInForce, budgetUse } from '../../state/summary';
import { useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { budgetWords } from './words';

/** How much of the budgets in force is used, where there is a bound. */
export function BudgetLines(props: {
  readonly state: ThreadState;
}): React.JSX.Element | null {
  const { state } = props;
  const trans = useTrans();
  const status = usePanelValue(panel => panel.server.status);
  if (status === null) {
    return null;
  }
  const { turn, thread } = budgetsInForce(status.budgets, status.budget_caps);
  // A thread may have a stricter number of runs of its own.
  const runs = Math.min(state.max_runs ?? Infinity, turn.runs ?? Infinity);
  const ofTurn = { ...turn, runs: Number.isFinite(runs) ? runs : null };
  const last = state.turns.at(-1);
  return (
    <>
      <Line
        name={trans.__('Turn:')}
        uses={last ? budgetUse(ofTurn, last.usage) : []}
      />
      <Line
        name={
          state.budget_from.calls > 0
            ? trans.__('Thread, since its budget began anew:')
            : trans.__('Thread:')
        }
        uses={budgetUse(thread, state.usage, state.budget_from)}
      />
    </>
  );
}

function Line(props: {
  readonly name: string;
  readonly uses: readonly BudgetUse[];
}): React.JSX.Element | null {
  const trans = useTrans();
  return props.uses.length === 0 ? null : (
    <p className="jp-CaveLab-budget">
      {`${props.name} ${props.uses.map(use => budgetWords(use, trans)).join(', ')}`}
    </p>
  );
}
