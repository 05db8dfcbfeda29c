import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import type {
  RunState,
  StopReason,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { never } from '../../state/never';
import { findReplacements } from '../../state/replacement';
import { turnVariables } from '../../state/summary';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { ChangeLine } from '../run/changes';
import { StepButtons } from './notice';
import { saysWhy, stepsAfter } from './nextsteps';

interface ITurnEndProps {
  readonly state: ThreadState;
  readonly turn: TurnState;
  readonly runs: readonly RunState[];
  readonly last: boolean;
  readonly readOnly: boolean;
  /** The tour offers its own prompts. */
  readonly scripted: boolean;
}

/** The line that ends a turn: what came of it, whether to keep it, and what to do next. */
export function TurnEnd(props: ITurnEndProps): React.JSX.Element {
  const { state, turn, runs, last, readOnly } = props;
  const trans = useTrans();
  const words = saysWhy(turn) ? null : stopWords(turn.stop_reason, trans);
  const replaced = new Set<RunState>(findReplacements(state).keys());
  const cells = runs.filter(run => isThere(run) && !replaced.has(run));
  const undone = runs.filter(run => run.verdict === 'undone').length;
  const changes = turnVariables(state, turn);
  return (
    <footer className="jp-CaveLab-turnEnd">
      {words && (
        <p className="jp-CaveLab-stopReason" data-reason={turn.stop_reason}>
          {words}
        </p>
      )}
      {(cells.length > 0 || changes.marks.length > 0) && (
        <p className="jp-CaveLab-summary">
          {cells.length > 0 && (
            <span>
              {trans._n('Added %1 cell', 'Added %1 cells', cells.length)}
            </span>
          )}
          <ChangeLine {...changes} />
        </p>
      )}
      {undone > 0 && (
        <p className="jp-CaveLab-quiet">
          {trans._n(
            '%1 cell undone; variables stay as they are.',
            '%1 cells undone; variables stay as they are.',
            undone
          )}
        </p>
      )}
      {!readOnly && <Review cells={cells} />}
      {last && !readOnly && <Onward {...props} />}
    </footer>
  );
}

function isThere(run: RunState): boolean {
  return (
    run.placed !== null &&
    run.verdict !== 'undone' &&
    run.verdict !== 'deleted_by_user'
  );
}

/** Keep or take back the cells that the person has not decided on. */
function Review(props: {
  readonly cells: readonly RunState[];
}): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const open = props.cells.filter(run => run.verdict === null);
  const undoable = props.cells.filter(run => run.verdict !== 'edited_since');
  if (open.length === 0) {
    return null;
  }
  const review = (runs: readonly RunState[], verdict: 'kept' | 'undone') => {
    panel.focus();
    void panel.review(runs, verdict);
  };
  return (
    <div className="jp-CaveLab-actions">
      <TextButton kind="link" onClick={() => review(open, 'kept')}>
        {trans.__('Keep all')}
      </TextButton>
      <TextButton
        kind="link"
        title={trans.__(
          'Take the cells of this turn out of the notebook; variables stay as they are'
        )}
        onClick={() => review(undoable, 'undone')}
      >
        {trans.__('Undo turn')}
      </TextButton>
    </div>
  );
}

/** What the person may do next: a step after a stop, or what the model suggests. */
function Onward(props: ITurnEndProps): React.JSX.Element | null {
  const { turn } = props;
  const suggestions = props.scripted ? [] : turn.suggestions.slice(0, 3);
  const panel = usePanel();
  // Where a notice says why the turn ended, its steps stand there.
  const steps = saysWhy(turn) ? [] : stepsAfter(turn);
  if (steps.length === 0 && suggestions.length === 0) {
    return null;
  }
  return (
    <>
      <StepButtons steps={steps} turn={turn} />
      <div className="jp-CaveLab-actions">
        {suggestions.map(text => (
          <TextButton key={text} onClick={() => panel.say(text)}>
            {text}
          </TextButton>
        ))}
      </div>
    </>
  );
}

function stopWords(
  reason: StopReason | null,
  trans: TranslationBundle
): string | null {
  switch (reason) {
    case null:
    case 'end_turn':
      return null;
    case 'max_runs':
      return trans.__('Stopped: this turn has run as many cells as it may.');
    case 'max_tokens':
      return trans.__('Stopped: this turn has used as many tokens as it may.');
    case 'max_cost':
      return trans.__('Stopped: this turn has cost as much as it may.');
    case 'max_time':
      return trans.__('Stopped: this turn has taken as long as it may.');
    case 'cancelled':
      return trans.__('You stopped this turn. What it did so far is kept.');
    case 'interrupted':
      return trans.__(
        'The server went away in this turn. What it did so far is kept.'
      );
    case 'refusal':
      return trans.__('The model refused to answer this.');
    case 'model_error':
      return trans.__('No answer came from a model, so this turn ended here.');
    case 'kernel_lost':
      return trans.__(
        'The kernel lost its memory in this turn: variables are gone.'
      );
    case 'journal_unavailable':
      return trans.__(
        'The journal could not be written, so nothing more was run.'
      );
    case 'internal_error':
      return trans.__(
        'CaveLab failed in this turn. What it did so far is kept.'
      );
    default:
      return never(reason);
  }
}
