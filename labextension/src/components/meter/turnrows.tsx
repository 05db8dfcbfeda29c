import { caretDownIcon, caretRightIcon } from '@jupyterlab/ui-components';
import React, { useState } from 'react';

import { textOf } from '../../panel/words';
import type { CallState, TurnState } from '../../protocol/generated';
import { moneyOf } from '../../state/summary';
import { useTrans } from '../context';
import { UsageCells } from './usagecells';
import { formatWords } from './words';

/** A turn's row, and a row for each of its model calls when it is opened. */
export function TurnRows(props: {
  readonly turn: TurnState;
  readonly free: string | null;
}): React.JSX.Element {
  const { turn, free } = props;
  const trans = useTrans();
  const [open, setOpen] = useState(false);
  const name = textOf(turn.content, trans);
  return (
    <tbody>
      <tr>
        <th scope="row" title={name}>
          {turn.calls.length === 0 ? (
            <span className="jp-CaveLab-oneLine">{name}</span>
          ) : (
            <Unfold name={name} open={open} onToggle={() => setOpen(!open)} />
          )}
        </th>
        <UsageCells
          usage={turn.usage}
          money={moneyOf(turn.usage, turn.calls, free)}
        />
      </tr>
      {open &&
        turn.calls.map(call => (
          <CallRow key={call.call} call={call} free={free} />
        ))}
    </tbody>
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
function CallRow(props: {
  readonly call: CallState;
  readonly free: string | null;
}): React.JSX.Element {
  const { call, free } = props;
  const { usage } = call;
  const trans = useTrans();
  return (
    <tr className="jp-CaveLab-call">
      <th scope="row" title={call.model}>
        <span className="jp-CaveLab-oneLine">
          {trans.__('Call %1: %2', call.call, call.model)}
        </span>
        <span className="jp-CaveLab-oneLine">
          {formatWords(call.format, trans)}
        </span>
        {usage?.estimated && (
          <span className="jp-CaveLab-oneLine">{trans.__('counted here')}</span>
        )}
      </th>
      {usage === null ? (
        <td colSpan={6}>{trans.__('no usage')}</td>
      ) : (
        <UsageCells
          usage={usage}
          money={moneyOf(usage, [call], free)}
          runs={false}
        />
      )}
    </tr>
  );
}
