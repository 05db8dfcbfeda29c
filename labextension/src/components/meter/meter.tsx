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
  const trans = useTrans();
  const state = usePanelValue(panel => panel.outlook.state);
  if (state === null || state.usage.calls === 0) {
    return null;
  }
  return (
    <Popover
      label={trans.__('Usage by turn')}
      className="jp-CaveLab-meter"
      button={(open, toggle) => (
        <button
          type="button"
          className="jp-CaveLab-linkButton"
          aria-expanded={open}
          title={trans.__('Tokens and money of this thread')}
          onClick={toggle}
        >
          <Sum state={state} />
        </button>
      )}
    >
      {() => <Breakdown state={state} />}
    </Popover>
  );
}

/** The thread in a few words. */
function Sum(props: { readonly state: ThreadState }): React.JSX.Element {
  const { state } = props;
  const trans = useTrans();
  const money = moneyOf(state.usage, callsOf(state), useFreeModel());
  return (
    <>
      {tokenWords(state.usage, trans)}
      {money !== null && ` · ${moneyWords(money, trans)}`}
    </>
  );
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
