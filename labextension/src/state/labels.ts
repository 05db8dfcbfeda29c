import type {
  ApprovalOutcome,
  RunState,
  RunStatus,
  ThreadState,
  TurnState
} from '../protocol/generated';
import { never } from './never';

/**
 * Where a run stands, as its card names it.
 */
export type RunLabel =
  | 'writing'
  | 'waiting'
  | 'queued'
  | 'running'
  | 'needs_input'
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'rejected'
  | 'not_run'
  | 'kernel_lost'
  | 'unknown'
  | 'no_longer_open';

/**
 * Name where a run stands; `left` says that its turn went on without it (`wasLeft`).
 */
export function runLabel(run: RunState, left: boolean): RunLabel {
  switch (run.phase) {
    case 'writing':
    case 'proposed':
    case 'waiting':
      return beforeLabel(run, left);
    case 'queued':
      return left ? 'not_run' : 'queued';
    case 'intended':
    case 'running':
      return run.stdin === null ? 'running' : 'needs_input';
    case 'ended':
      return endLabel(run);
    default:
      return never(run.phase);
  }
}

/**
 * Whether the turn ended, or asked the model again, before the run was allowed: it stays as
 * it is.
 */
export function wasLeft(turn: TurnState, run: RunState): boolean {
  const lastCall = turn.calls.at(-1)?.call ?? run.call;
  return turn.stop_reason !== null || lastCall > run.call;
}

/**
 * The runs that wait for the person's answer now.
 */
export function waitingRuns(state: ThreadState): RunState[] {
  return Object.values(state.runs).filter(
    run =>
      run.phase === 'waiting' &&
      run.approval !== null &&
      run.approval.outcome === null
  );
}

/**
 * The turn that runs now, or null.
 */
export function runningTurn(state: ThreadState): TurnState | null {
  const last = state.turns.at(-1);
  return last?.stop_reason === null ? last : null;
}

/**
 * Seconds that a run took, or has taken until `now` (milliseconds since 1970); null before it
 * began.
 */
export function runSeconds(run: RunState, now: number): number | null {
  if (run.phase === 'ended' || run.started_at === null) {
    return run.duration_seconds;
  }
  return Math.max(0, (now - Date.parse(run.started_at)) / 1_000);
}

function beforeLabel(run: RunState, left: boolean): RunLabel {
  const outcome = run.approval?.outcome ?? null;
  if (outcome !== null) {
    return closedLabel(outcome);
  }
  if (run.phase === 'waiting') {
    return left ? 'no_longer_open' : 'waiting';
  }
  return left ? 'not_run' : 'writing';
}

function closedLabel(outcome: ApprovalOutcome): RunLabel {
  switch (outcome) {
    case 'run':
    case 'allowed_by':
      return 'queued';
    case 'rejected':
      return 'rejected';
    case 'run_edited':
    case 'cancelled':
      return 'not_run';
    case 'kernel_changed':
    case 'server_restarted':
      return 'no_longer_open';
    default:
      return never(outcome);
  }
}

function endLabel(run: RunState): RunLabel {
  const label = run.status === null ? 'unknown' : statusLabel(run.status);
  const outcome = run.approval?.outcome ?? null;
  const closed = outcome === null ? null : closedLabel(outcome);
  return label === 'not_run' && closed === 'no_longer_open' ? closed : label;
}

function statusLabel(status: RunStatus): RunLabel {
  switch (status) {
    case 'ok':
      return 'done';
    case 'error':
      return 'failed';
    case 'kernel_died':
    case 'kernel_restarted':
      return 'kernel_lost';
    case 'interrupted':
    case 'rejected':
    case 'not_run':
    case 'unknown':
      return status;
    default:
      return never(status);
  }
}
