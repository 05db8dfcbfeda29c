import { caretDownIcon, caretRightIcon } from '@jupyterlab/ui-components';
import React, { useState } from 'react';

import { textOf } from '../../panel/words';
import type { CallState, TurnState } from '../../protocol/generated';
import { moneyOf } from '../../state/summary';
import { useTrans } from '../context';
import type { Column } from './columns';
import { UsageCells } from './usagecells';
import { callWords } from './words';

/** A turn's name above its numbers, and the same of each of its model calls when it is opened. */
export function TurnRows(props: {
  readonly columns: readonly Column[];
  readonly turn: TurnState;
  readonly free: string | null;
}): React.JSX.Element {
  const { columns, turn, free } = props;
  const trans = useTrans();
  const [open, setOpen] = useState(false);
  const name = textOf(turn.content, trans);
  return (
    <>
      <tbody>
        <tr>
          <th scope="rowgroup" colSpan={columns.length} title={name}>
            {turn.calls.length === 0 ? (
              <span className="jp-CaveLab-oneLine">{name}</span>
            ) : (
              <Unfold name={name} open={open} onToggle={() => setOpen(!open)} />
            )}
          </th>
        </tr>
        <UsageCells
          columns={columns}
          usage={turn.usage}
          money={moneyOf(turn.usage, turn.calls, free)}
        />
      </tbody>
      {open &&
        turn.calls.map(call => (
          <CallRows key={call.call} columns={columns} call={call} free={free} />
        ))}
    </>
  );
}

function Unfold(props: {
  readonly name: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}): React.JSX.Element {
  const Caret = props.open ? caretDownIcon : caretRightIcon;
  return (
    <button
      type="button"
      className="jp-CaveLab-unfold"
      aria-expanded={props.open}
      onClick={props.onToggle}
    >
      <Caret.react tag="span" aria-hidden="true" width="12px" height="12px" />
      <span className="jp-CaveLab-oneLine">{props.name}</span>
    </button>
  );
}

/** One model call: which model, how it acted, and what it used, if anyone said or counted. */
function CallRows(props: {
  readonly columns: readonly Column[];
  readonly call: CallState;
  readonly free: string | null;
}): React.JSX.Element {
  const { columns, call, free } = props;
  const { usage } = call;
  const trans = useTrans();
  return (
    <tbody className="jp-CaveLab-call">
      <tr>
        <th scope="rowgroup" colSpan={columns.length}>
          {callWords(call, trans)}
        </th>
      </tr>
      {usage === null ? (
        <tr>
          <td colSpan={columns.length}>{trans.__('no usage')}</td>
        </tr>
      ) : (
        <UsageCells
          columns={columns}
          usage={usage}
          money={moneyOf(usage, [call], free)}
          runs={false}
        />
      )}
    </tbody>
  );
}
