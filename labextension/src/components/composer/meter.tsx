import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import { textOf } from '../../panel/words';
import type { ThreadState, Usage } from '../../protocol/generated';
import { usageParts } from '../../state/summary';
import { useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';

/** What the thread has used; opens the breakdown by turn. */
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
          {tokenWords(state.usage, trans)}
          {state.usage.cost !== null && ` · ${costWords(state.usage, trans)}`}
        </button>
      )}
    >
      {() => <Breakdown state={state} />}
    </Popover>
  );
}

function Breakdown(props: { readonly state: ThreadState }): React.JSX.Element {
  const trans = useTrans();
  const { turns, usage } = props.state;
  return (
    <table className="jp-CaveLab-usage" tabIndex={-1}>
      <thead>
        <tr>
          <th scope="col">{trans.__('Turn')}</th>
          <th scope="col">{trans.__('Tokens')}</th>
          <th scope="col">{trans.__('Cached')}</th>
          <th scope="col">{trans.__('Cost')}</th>
        </tr>
      </thead>
      <tbody>
        {turns.map(turn => (
          <UsageRow
            key={turn.turn_id}
            name={textOf(turn.content, trans)}
            usage={turn.usage}
          />
        ))}
      </tbody>
      <tfoot>
        <UsageRow name={trans.__('In all')} usage={usage} />
      </tfoot>
    </table>
  );
}

function UsageRow(props: {
  readonly name: string;
  readonly usage: Usage;
}): React.JSX.Element {
  const trans = useTrans();
  const { cached, priceSource } = usageParts(props.usage);
  return (
    <tr>
      <th scope="row" title={props.name}>
        <span className="jp-CaveLab-oneLine">{props.name}</span>
      </th>
      <td>{tokenCount(props.usage)}</td>
      <td>{`${cached.digits}${cached.unit}`}</td>
      <td title={priceSource ?? undefined}>{costWords(props.usage, trans)}</td>
    </tr>
  );
}

function tokenCount(usage: Usage): string {
  const { tokens } = usageParts(usage);
  return `${tokens.digits}${tokens.unit}`;
}

function tokenWords(usage: Usage, trans: TranslationBundle): string {
  return trans.__('%1 tokens', tokenCount(usage));
}

function costWords(usage: Usage, trans: TranslationBundle): string {
  const { cost } = usageParts(usage);
  if (cost === null) {
    return trans.__('unknown');
  }
  return cost.below
    ? trans.__('under $%1', cost.digits)
    : trans.__('$%1', cost.digits);
}
