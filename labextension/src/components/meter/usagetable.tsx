import React from 'react';

import type { ThreadState } from '../../protocol/generated';
import { callsOf, moneyOf } from '../../state/summary';
import { useTrans } from '../context';
import { type Column, columnsOf, columnWords } from './columns';
import { TurnRows } from './turnrows';
import { UsageCells } from './usagecells';

/**
 * What each turn used, to the token. Names stand above their numbers, since a sidebar is narrow;
 * what is wider still scrolls in a box of its own.
 */
export function UsageTable(props: {
  readonly state: ThreadState;
  readonly free: string | null;
}): React.JSX.Element {
  const { state, free } = props;
  const trans = useTrans();
  const columns = columnsOf(state.usage);
  return (
    <div
      className="jp-CaveLab-wide"
      role="group"
      aria-label={trans.__('Usage by turn')}
      tabIndex={0}
    >
      <table className="jp-CaveLab-usage">
        <Head columns={columns} />
        {state.turns.map(turn => (
          <TurnRows
            key={turn.turn_id}
            columns={columns}
            turn={turn}
            free={free}
          />
        ))}
        <tfoot>
          <tr>
            <th scope="rowgroup" colSpan={columns.length}>
              {trans.__('In all')}
            </th>
          </tr>
          <UsageCells
            columns={columns}
            usage={state.usage}
            money={moneyOf(state.usage, callsOf(state), free)}
          />
        </tfoot>
      </table>
    </div>
  );
}

function Head(props: {
  readonly columns: readonly Column[];
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <thead>
      <tr>
        {props.columns.map(column => {
          const { name, meaning } = columnWords(column, trans);
          return (
            <th key={column} scope="col" title={meaning}>
              {name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
