import React from 'react';

import type { ThreadState } from '../../protocol/generated';
import { callsOf, moneyOf } from '../../state/summary';
import { useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';
import { BudgetLines } from './budgetlines';
import { Legend } from './legend';
import { UsageTable } from './usagetable';
import { moneyWords, tokenWords } from './words';

/** What the thread has used; opens the breakdown by turn and by model call. */
export function Meter(): React.JSX.Element | null {
  const state = usePanelValue(panel => panel.outlook.state);
  if (state === null || state.usage.calls === 0) {
    return null;
  }
  return <MeterOf state={state} />;
}

function MeterOf(props: { readonly state: ThreadState }): React.JSX.Element {
  const { state } = props;
  const trans = useTrans();
  const words = useSum(state);
  return (
    <Popover
      label={trans.__('Usage by turn')}
      className="jp-CaveLab-meter"
      button={(open, toggle) => (
        <button
          type="button"
          className="jp-CaveLab-linkButton"
          aria-expanded={open}
          // In a narrow panel only the beginning of the words is seen.
          title={trans.__('%1: tokens and money of this thread', words)}
          onClick={toggle}
        >
          {words}
        </button>
      )}
    >
      {() => <Breakdown state={state} />}
    </Popover>
  );
}

/** The thread in a few words. */
function useSum(state: ThreadState): string {
  const trans = useTrans();
  const money = moneyOf(state.usage, callsOf(state), useFreeModel());
  const tokens = tokenWords(state.usage, trans);
  return money === null ? tokens : `${tokens} · ${moneyWords(money, trans)}`;
}

function Breakdown(props: { readonly state: ThreadState }): React.JSX.Element {
  const { state } = props;
  const free = useFreeModel();
  return (
    <>
      <UsageTable state={state} free={free} />
      <Legend state={state} free={free} />
      <BudgetLines state={state} />
    </>
  );
}

/** The model that costs nothing: the tour's script. */
function useFreeModel(): string | null {
  return usePanelValue(panel => panel.server.status?.tour_model ?? null);
}
