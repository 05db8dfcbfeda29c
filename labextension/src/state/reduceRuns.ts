import type {
  ApprovalClosed,
  ApprovalRequested,
  CellPlaced,
  CellReviewed,
  Event,
  OutputAdded,
  OutputAppended,
  OutputCleared,
  OutputTruncated,
  OutputUpdated,
  RunEnded,
  RunIntended,
  RunProposed,
  RunStarted,
  StdinClosed,
  StdinRequested,
  ThreadState
} from '../protocol/generated';
import { newRun, NO_USAGE } from './blank';
import { addItem, addToUsage, findRun, putRun, withRun } from './change';
import { never } from './never';
import { reduceOutputs } from './reduceOutputs';

/** The events of a run. */
export type RunEvent = Extract<
  Event,
  | RunProposed
  | ApprovalRequested
  | ApprovalClosed
  | RunIntended
  | RunStarted
  | OutputAdded
  | OutputAppended
  | OutputUpdated
  | OutputCleared
  | OutputTruncated
  | StdinRequested
  | StdinClosed
  | RunEnded
  | CellPlaced
  | CellReviewed
>;

/**
 * How a run's events change a thread.
 */
export function reduceRuns(state: ThreadState, event: RunEvent): ThreadState {
  switch (event.type) {
    case 'run.proposed':
      return proposed(state, event);
    case 'approval.requested':
      return asked(state, event);
    case 'approval.closed':
      return answered(state, event);
    case 'run.intended':
      return intended(state, event);
    case 'run.started':
      return started(state, event);
    case 'output.added':
    case 'output.appended':
    case 'output.updated':
    case 'output.cleared':
    case 'output.truncated':
      return reduceOutputs(state, event);
    case 'stdin.requested': {
      const { prompt, password, question } = event;
      const stdin = { prompt, password, question };
      return withRun(state, event.run_id, { stdin });
    }
    case 'stdin.closed':
      return withRun(state, event.run_id, { stdin: null });
    case 'run.ended':
      return ended(state, event);
    case 'cell.placed':
      return placed(state, event);
    case 'cell.reviewed':
      return withRun(state, event.run_id, { verdict: event.verdict });
    default:
      return never(event);
  }
}

/** A complete cell takes the place of the one being written, or joins the turn. */
function proposed(state: ThreadState, event: RunProposed): ThreadState {
  const { run_id, turn_id, call } = event;
  const known = findRun(state, run_id) !== null;
  const next = putRun(
    state,
    newRun({
      run_id,
      turn_id,
      call,
      phase: 'proposed',
      code: event.code,
      purpose: event.purpose,
      sha256: event.sha256,
      by: event.by,
      replaces: event.replaces,
      repairs: event.repairs,
      attempt_of: event.attempt_of,
      scratch: event.scratch,
      risks: event.risks,
      target: event.target
    })
  );
  return known ? next : addItem(next, turn_id, { type: 'run', call, run_id });
}

function asked(state: ThreadState, event: ApprovalRequested): ThreadState {
  const { approval_id, sha256, reasons } = event;
  return withRun(state, event.run_id, {
    phase: 'waiting',
    approval: {
      approval_id,
      sha256,
      reasons,
      outcome: null,
      reason: null,
      allowed_by: null
    }
  });
}

/** The question is closed; the run queues if it may go ahead. */
function answered(state: ThreadState, event: ApprovalClosed): ThreadState {
  const { approval_id, sha256, outcome, reason, allowed_by } = event;
  const run = findRun(state, event.run_id);
  if (run === null) {
    return state;
  }
  const question = run.approval ?? { approval_id, sha256, reasons: [] };
  const goesAhead = outcome === 'run' || outcome === 'allowed_by';
  return putRun(state, {
    ...run,
    approval: { ...question, outcome, reason, allowed_by },
    phase: goesAhead ? 'queued' : run.phase
  });
}

/** The request is about to go out: the run counts, and its cell belongs in the notebook. */
function intended(state: ThreadState, event: RunIntended): ThreadState {
  const { run_id, cell_id, target, generation, after } = event;
  const run = findRun(state, run_id);
  if (run === null) {
    return state;
  }
  const counted = addToUsage(state, run.turn_id, { ...NO_USAGE, runs: 1 });
  return withRun(counted, run_id, {
    phase: 'intended',
    cell_id,
    target,
    generation,
    after
  });
}

function started(state: ThreadState, event: RunStarted): ThreadState {
  return withRun(state, event.run_id, {
    phase: 'running',
    started_at: event.at,
    execution_count: event.execution_count
  });
}

function ended(state: ThreadState, event: RunEnded): ThreadState {
  const run = findRun(state, event.run_id);
  if (run === null) {
    return state;
  }
  const seconds = event.duration_seconds ?? 0;
  const counted = addToUsage(state, run.turn_id, { ...NO_USAGE, seconds });
  return putRun(counted, {
    ...run,
    phase: 'ended',
    status: event.status,
    reason: event.reason,
    execution_count: event.execution_count ?? run.execution_count,
    duration_seconds: event.duration_seconds,
    error: event.error,
    variables: event.variables,
    variables_complete: event.variables_complete,
    excerpt: event.excerpt,
    stdin: null
  });
}

/**
 * A browser has the cell. A saved cell stays saved, unless it was out: the file may have been saved
 * without it meanwhile. One that is back is not deleted.
 */
function placed(state: ThreadState, event: CellPlaced): ThreadState {
  const run = findRun(state, event.run_id);
  if (run === null) {
    return state;
  }
  const out = run.verdict === 'deleted_by_user' || run.verdict === 'undone';
  return putRun(state, {
    ...run,
    placed: run.placed === 'in_file' && !out ? 'in_file' : event.level,
    verdict: run.verdict === 'deleted_by_user' ? null : run.verdict
  });
}
