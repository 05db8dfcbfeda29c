import React from 'react';

import type { ThreadState } from '../../protocol/generated';
import { callsOf, moneyOf } from '../../state/summary';
import { useTrans } from '../context';
import { TurnRows } from './turnrows';
import { UsageCells } from './usagecells';

/** What each turn used, to the token; wide as it is, it scrolls in a box of its own. */
export function UsageTable(props: {
  readonly state: ThreadState;
  readonly free: string | null;
}): React.JSX.Element {
  const { state, free } = props;
  const trans = useTrans();
  return (
    <div
      className="jp-CaveLab-wide"
      role="group"
      aria-label={trans.__('Usage by turn')}
      tabIndex={0}
    >
      <table className="jp-CaveLab-usage">
        <Head />
        {state.turns.map(turn => (
          <TurnRows key={turn.turn_id} turn={turn} free={free} />
        ))}
        <tfoot>
          <tr>
            <th scope="row">{trans.__('In all')}</th>
            <UsageCells
              usage={state.usage}
              money={moneyOf(state.usage, callsOf(state), free)}
            />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head(): React.JSX.Element {
  const trans = useTrans();
  const columns: readonly (readonly [string, string])[] = [
    [trans.__('Prompt'), trans.__('Tokens that the model was given')],
    [trans.__('Answer'), trans.__('Tokens that the model wrote')],
    [
      trans.__('Cached'),
      trans.__('Tokens of the prompt that the provider still had')
    ],
    [trans.__('Cost'), trans.__('In US dollars')],
    [trans.__('Time'), trans.__('Of the model and of runs')],
    [trans.__('Runs'), trans.__('Cells that went to the kernel')]
  ];
  return (
    <thead>
      <tr>
        <th scope="col">{trans.__('Turn')}</th>
        {columns.map(([name, title]) => (
          <th key={name} scope="col" title={title}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
