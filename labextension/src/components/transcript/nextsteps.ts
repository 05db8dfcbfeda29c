import type { NextStep, StopReason, TurnState } from '../../protocol/generated';
import { never } from '../../state/never';

/** Whether a notice has just said why the turn ended. */
export function saysWhy(turn: TurnState): boolean {
  const last = turn.items.at(-1);
  const says =
    last?.type === 'notice' &&
    (last.level === 'error' || last.code === turn.stop_reason);
  return says && turn.stop_reason !== 'cancelled';
}

/** What the person may do after a turn, besides what its notices offer. */
export function stepsAfter(turn: TurnState): readonly NextStep[] {
  const offered = new Set(
    turn.items.flatMap(item => (item.type === 'notice' ? item.actions : []))
  );
  return turn.stop_reason === null
    ? []
    : nextSteps(turn.stop_reason).filter(step => isOpen(step, offered));
}

/** A step that is not offered yet; without another budget, a thread does not go on. */
function isOpen(step: NextStep, offered: ReadonlySet<NextStep>): boolean {
  return (
    !offered.has(step) && !(step === 'go_on' && offered.has('extend_budget'))
  );
}

function nextSteps(reason: StopReason): readonly NextStep[] {
  switch (reason) {
    case 'max_runs':
    case 'max_tokens':
    case 'max_cost':
    case 'max_time':
      return ['go_on'];
    case 'interrupted':
    case 'model_error':
    case 'internal_error':
    case 'journal_unavailable':
      return ['try_again'];
    case 'kernel_lost':
      return ['rerun_my_cells', 'continue_without'];
    case 'end_turn':
    case 'cancelled':
    case 'refusal':
      return [];
    default:
      return never(reason);
  }
}
