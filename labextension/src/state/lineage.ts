import type { RunState, ThreadState, TurnState } from '../protocol/generated';
import { findRun } from './change';

/**
 * The runs of a turn in the order they were written.
 */
export function runsOf(state: ThreadState, turn: TurnState): RunState[] {
  return turn.items.flatMap(item => {
    const run = item.type === 'run' ? findRun(state, item.run_id) : null;
    return run === null ? [] : [run];
  });
}

/**
 * The run whose failure this one repairs, or null; an edited proposal repairs what the proposal
 * would have.
 */
export function repairedBy(state: ThreadState, run: RunState): RunState | null {
  const proposal = findRun(state, run.replaces);
  return findRun(state, run.repairs ?? proposal?.repairs ?? null);
}

/**
 * Whether the run's request was sent, or was about to be.
 */
export function wasIntended(run: RunState): boolean {
  return run.generation !== null;
}

/**
 * Who let a run go ahead: `person`, a mode or scope as `mode:auto`, or null if nobody did.
 */
export function approvedBy(state: ThreadState, run: RunState): string | null {
  const { approval } = run;
  if (approval?.outcome === 'run') {
    return 'person';
  }
  if (approval?.outcome === 'allowed_by') {
    return approval.allowed_by;
  }
  return editedByPerson(state, run) ? 'person' : approvedRetry(state, run);
}

function editedByPerson(state: ThreadState, run: RunState): boolean {
  const proposal = findRun(state, run.replaces);
  return run.by === 'user' && proposal?.approval?.outcome === 'run_edited';
}

/** Trying again rests on the answer given to the attempt, for the same code only. */
function approvedRetry(state: ThreadState, run: RunState): string | null {
  const first = findRun(state, run.attempt_of);
  const sameCode = first !== null && first.sha256 === run.sha256;
  return sameCode && first.attempt_of === null
    ? approvedBy(state, first)
    : null;
}
