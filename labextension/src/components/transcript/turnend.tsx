import React from 'react';

import type {
  RunState,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { findReplacements } from '../../state/replacement';
import { turnVariables } from '../../state/summary';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { ChangeLine } from '../run/changes';
import { StepButtons } from './notice';
import { saysWhy, stepsAfter } from './nextsteps';
import { stopWords } from './stopwords';

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
  const words = stopWords(turn, trans);
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
