import React from 'react';

import { cellOf } from '../../panel/words';
import type { PrivacyMode, ThreadState } from '../../protocol/generated';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';
import { Sent } from './sent';
import { Variables } from './variables';

/** How much the model was given last, said as that; opens what it will be given next. */
export function ContextLine(): React.JSX.Element | null {
  const trans = useTrans();
  const state = usePanelValue(panel => panel.outlook.state);
  if (state === null) {
    return null;
  }
  return (
    <div className="jp-CaveLab-context">
      <Popover
        label={trans.__('What the model is given')}
        button={(open, toggle) => (
          <button
            type="button"
            className="jp-CaveLab-linkButton"
            aria-expanded={open}
            onClick={toggle}
          >
            <Counts state={state} />
          </button>
        )}
      >
        {() => (
          <>
            <Privacy privacy={state.privacy} />
            <h3 className="jp-CaveLab-menuTitle">
              {trans.__('In the kernel now')}
            </h3>
            <Variables threadId={state.thread_id} />
            <Sent state={state} />
          </>
        )}
      </Popover>
    </div>
  );
}

function Counts(props: { readonly state: ThreadState }): React.JSX.Element {
  const trans = useTrans();
  // Of a turn that only lets a cell run, the model hears later.
  const asking = props.state.turns.filter(one => cellOf(one.content) === null);
  const turn = asking.at(-1);
  const call = turn?.calls.at(-1);
  if (call === undefined) {
    return <>{trans.__('What the model will be given')}</>;
  }
  const seen = turn?.seen ?? null;
  const total = seen?.total ?? call.variables;
  const variables =
    seen?.unavailable != null
      ? trans.__('variables unknown')
      : trans._n('%1 variable', '%1 variables', total);
  const cells = trans._n('%1 cell', '%1 cells', call.cells);
  return <>{trans.__('Last sent: %1, %2', variables, cells)}</>;
}

/** How much of the data the model may be told. */
function Privacy(props: { readonly privacy: PrivacyMode }): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const words: Record<PrivacyMode, string> = {
    schema: trans.__('Schema: names, types, shapes and columns, no outputs'),
    standard: trans.__('Standard: schema, and outputs of agent runs'),
    full: trans.__(
      'Full: also first values of variables, and outputs of your cells'
    )
  };
  return (
    <label className="jp-CaveLab-privacy">
      <span>{trans.__('Privacy')}</span>
      <select
        className="jp-CaveLab-select"
        value={props.privacy}
        onChange={event => {
          const privacy = event.target.value as PrivacyMode;
          void panel.sender.attempt(() => panel.shown.set({ privacy }));
        }}
      >
        {Object.entries(words).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
