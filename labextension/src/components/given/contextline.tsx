import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import { cellOf } from '../../panel/words';
import type {
  PrivacyMode,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { marksOf } from '../../state/summary';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';
import { ChangeLine } from '../run/changes';
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
            <Theirs state={state} />
            <h3 className="jp-CaveLab-menuTitle">
              {trans.__('In the kernel now')}
            </h3>
            <Variables />
            <Sent state={state} />
          </>
        )}
      </Popover>
    </div>
  );
}

/** The last turn that a model was asked in: of one that only lets a cell run, it hears later. */
function lastAsked(state: ThreadState): TurnState | undefined {
  return state.turns.filter(one => cellOf(one.content) === null).at(-1);
}

function Counts(props: { readonly state: ThreadState }): React.JSX.Element {
  const trans = useTrans();
  const turn = lastAsked(props.state);
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
  const theirs = changesWords(seen?.changes.length ?? 0, trans);
  return (
    <>{trans.__('Last sent: %1', [variables, cells, ...theirs].join(', '))}</>
  );
}

function changesWords(count: number, trans: TranslationBundle): string[] {
  return count === 0
    ? []
    : [trans._n('%1 change by your cells', '%1 changes by your cells', count)];
}

/** What the model was told that the person's own cells did between the last two messages. */
function Theirs(props: {
  readonly state: ThreadState;
}): React.JSX.Element | null {
  const trans = useTrans();
  const seen = lastAsked(props.state)?.seen;
  const marks = marksOf(seen?.changes ?? []);
  const lost = seen?.changes_lost ?? 0;
  if (marks.length === 0 && lost === 0) {
    return null;
  }
  return (
    <section>
      <h3 className="jp-CaveLab-menuTitle">
        {trans.__('Told with the last message')}
      </h3>
      {marks.length > 0 && (
        <p className="jp-CaveLab-summary">
          <span>{trans.__('Changed by your cells since the one before:')}</span>
          <ChangeLine marks={marks} />
        </p>
      )}
      {lost > 0 && (
        <p className="jp-CaveLab-quiet">
          {trans._n(
            'What %1 more of your cells changed is not known.',
            'What %1 more of your cells changed is not known.',
            lost
          )}
        </p>
      )}
    </section>
  );
}

/** How much of the data the model may be told. */
function Privacy(props: { readonly privacy: PrivacyMode }): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const words: Record<PrivacyMode, string> = {
    schema: trans.__('Schema: names, types, shapes and columns, no outputs'),
    standard: trans.__(
      'Standard: schema, outputs of agent runs, and what you name with @'
    ),
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
