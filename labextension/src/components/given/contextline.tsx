import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import { cellOf } from '../../panel/words';
import type {
  OutsideChange,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { type CallFate, callFate } from '../../state/callFate';
import { never } from '../../state/never';
import { marksOf } from '../../state/summary';
import { useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';
import { ChangeLine } from '../run/changes';
import { Privacy } from './privacy';
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
            <Outside state={state} />
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
  if (turn === undefined || call === undefined) {
    return <>{trans.__('What the model will be given')}</>;
  }
  const { seen } = turn;
  const total = seen?.total ?? call.variables;
  const variables =
    seen?.unavailable != null
      ? trans.__('variables unknown')
      : trans._n('%1 variable', '%1 variables', total);
  const cells = trans._n('%1 cell', '%1 cells', call.cells);
  const changes = countWords(seen?.changes.length ?? 0, trans);
  const counts = [variables, cells, ...changes].join(', ');
  return <>{fateWords(callFate(turn, call), counts, trans)}</>;
}

function fateWords(
  fate: CallFate,
  counts: string,
  trans: TranslationBundle
): string {
  switch (fate) {
    case 'sending':
      return trans.__('Sending: %1', counts);
    case 'sent':
      return trans.__('Last sent: %1', counts);
    case 'unsent':
      return trans.__('Gathered, but not sent: %1', counts);
    default:
      return never(fate);
  }
}

function countWords(count: number, trans: TranslationBundle): string[] {
  return count === 0
    ? []
    : [
        trans._n('%1 change by other cells', '%1 changes by other cells', count)
      ];
}

type By = OutsideChange['by'];

const BY: readonly By[] = ['person', 'another_thread', 'both'];

function byWords(by: By, trans: TranslationBundle): string {
  switch (by) {
    case 'person':
      return trans.__('Your cells:');
    case 'another_thread':
      return trans.__('Another thread:');
    case 'both':
      return trans.__('Your cells and another thread:');
    default:
      return never(by);
  }
}

/** What the model was told that cells outside the thread did between the last two messages. */
function Outside(props: {
  readonly state: ThreadState;
}): React.JSX.Element | null {
  const trans = useTrans();
  const seen = lastAsked(props.state)?.seen;
  const changes = seen?.changes ?? [];
  const complete = seen?.changes_complete ?? true;
  const lost = seen?.changes_lost ?? 0;
  if (changes.length === 0 && complete && lost === 0) {
    return null;
  }
  return (
    <section>
      <h3 className="jp-CaveLab-menuTitle">
        {trans.__('Changed by other cells before your last message')}
      </h3>
      {BY.map(by => ({ by, theirs: changes.filter(one => one.by === by) }))
        .filter(({ theirs }) => theirs.length > 0)
        .map(({ by, theirs }) => (
          <p key={by} className="jp-CaveLab-summary">
            <span>{byWords(by, trans)}</span>
            <ChangeLine marks={marksOf(theirs)} complete />
          </p>
        ))}
      {!complete && (
        <p className="jp-CaveLab-quiet">
          {trans.__('They may have changed more than that.')}
        </p>
      )}
      {lost > 0 && (
        <p className="jp-CaveLab-quiet">
          {trans._n(
            'What %1 more cell changed is not known.',
            'What %1 more cells changed is not known.',
            lost
          )}
        </p>
      )}
    </section>
  );
}
