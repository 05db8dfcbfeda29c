import type {
  RunState,
  ThreadState,
  TurnState,
  ValueBrief,
  VariableChange
} from '../protocol/generated';
import { runsOf, wasIntended } from './lineage';
import { never } from './never';

/**
 * What happened to a name, as one sign: added, changed, removed.
 */
export type Sign = '+' | '~' | '-';

/**
 * One name and what became of it.
 */
export interface VariableMark {
  readonly sign: Sign;
  readonly name: string;
  /** False when it may have changed: nobody looked inside. */
  readonly sure: boolean;
  /** Whether the name was given another value, not only the inside of the same one changed. */
  readonly rebound: boolean;
  readonly before: ValueBrief | null;
  readonly after: ValueBrief | null;
}

/**
 * What one or more runs did to the variables.
 */
export interface VariableSummary {
  readonly marks: readonly VariableMark[];
  /** Whether they are known to have changed no more than that. */
  readonly complete: boolean;
}

/**
 * A run's changes as marks.
 */
export function marksOf(changes: readonly VariableChange[]): VariableMark[] {
  return changes.map(change => ({
    sign: signOf(change.kind),
    name: change.name,
    sure: change.kind !== 'maybe_changed',
    rebound: change.kind === 'rebound',
    before: change.before,
    after: change.after
  }));
}

/**
 * What a run did to the variables; of one that the kernel was not asked about, nothing.
 */
export function runVariables(run: RunState): VariableSummary {
  const { status, variables, variables_complete } = run;
  const asked =
    status === 'ok' || status === 'error' || status === 'interrupted';
  return {
    marks: marksOf(variables),
    complete: variables_complete || !asked
  };
}

/**
 * The changes of a turn's runs, one after the other, as one list: what was added and removed
 * again is not in it.
 */
export function turnVariables(
  state: ThreadState,
  turn: TurnState
): VariableSummary {
  const ran = runsOf(state, turn).filter(hasEndedInKernel);
  const marks = new Map<string, VariableMark>();
  for (const mark of ran.flatMap(run => marksOf(run.variables))) {
    const earlier = marks.get(mark.name);
    const both = earlier === undefined ? mark : merge(earlier, mark);
    if (both === null) {
      marks.delete(mark.name);
    } else {
      marks.set(mark.name, both);
    }
  }
  return {
    marks: [...marks.values()],
    complete: ran.every(run => run.variables_complete)
  };
}

function hasEndedInKernel(run: RunState): boolean {
  return run.phase === 'ended' && wasIntended(run) && run.status !== 'not_run';
}

function merge(first: VariableMark, then: VariableMark): VariableMark | null {
  if (first.sign === '+' && then.sign === '-') {
    return null;
  }
  const sign = mergeSigns(first.sign, then.sign);
  const sure = sign !== '~' || first.sure || then.sure;
  const rebound = first.rebound || then.rebound || first.sign === '-';
  const { name, after } = then;
  return { sign, name, sure, rebound, before: first.before, after };
}

function mergeSigns(first: Sign, then: Sign): Sign {
  if (then === '-') {
    return '-';
  }
  return first === '+' ? '+' : '~';
}

function signOf(kind: VariableChange['kind']): Sign {
  switch (kind) {
    case 'added':
      return '+';
    case 'removed':
      return '-';
    case 'rebound':
    case 'changed':
    case 'maybe_changed':
      return '~';
    default:
      return never(kind);
  }
}
