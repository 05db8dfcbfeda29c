import type {
  Item,
  RunItem,
  RunState,
  ThreadState,
  TurnState
} from '../protocol/generated';
import { type RunLabel, runLabel, wasLeft } from './labels';
import { repairedBy, runsOf } from './lineage';

/**
 * One row of a turn's answer.
 */
export type Entry =
  | {
      readonly kind: 'item';
      readonly key: string;
      readonly item: Exclude<Item, RunItem>;
    }
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly run: RunState;
      /** The failed attempts before it, oldest first; with it they are "2 attempts". */
      readonly earlier: readonly RunState[];
    };

const NEVER_RAN: readonly RunLabel[] = [
  'rejected',
  'not_run',
  'no_longer_open'
];

/** One list for all, so that a row without attempts stays the same row. */
const NONE: readonly RunState[] = [];

/**
 * A turn's answer row by row: a failed attempt joins its repair's row, and a proposal that the
 * person edited is not shown beside what ran instead.
 */
export function entriesOf(state: ThreadState, turn: TurnState): Entry[] {
  const runs = runsOf(state, turn);
  const byId = new Map(runs.map(run => [run.run_id, run]));
  const edited = new Set(runs.map(run => run.replaces));
  const joined = joinAttempts(state, turn, runs);
  const merged = new Set(joined.values());
  return turn.items.flatMap((item, index): Entry[] => {
    if (item.type !== 'run') {
      return [{ kind: 'item', key: `${item.type}-${index}`, item }];
    }
    const run = byId.get(item.run_id);
    if (run === undefined || edited.has(run.run_id) || merged.has(run)) {
      return [];
    }
    return [{ kind: 'run', key: run.run_id, run, earlier: chain(joined, run) }];
  });
}

/**
 * The failures whose repair has been proposed and has not run yet: it is judged beside them.
 */
export function underRepair(
  state: ThreadState,
  turn: TurnState
): ReadonlySet<RunState> {
  const open = runsOf(state, turn).filter(
    run => run.phase !== 'ended' && !wasLeft(turn, run)
  );
  const repaired = open.flatMap(run => repairedBy(state, run) ?? []);
  return new Set(repaired.filter(run => run.status === 'error'));
}

/** Each run with the attempt of the same turn that it follows up. */
function joinAttempts(
  state: ThreadState,
  turn: TurnState,
  runs: readonly RunState[]
): Map<RunState, RunState> {
  const joined = new Map<RunState, RunState>();
  const taken = new Set<RunState>();
  runs.forEach((run, index) => {
    const earlier = runs.slice(0, index);
    const repaired = repairedBy(state, run);
    const old = earlier.find(
      one =>
        (one === repaired && one.status === 'error') ||
        (one.run_id === run.attempt_of && one.status === 'not_run')
    );
    if (old !== undefined && !taken.has(old) && hasRun(turn, run)) {
      joined.set(run, old);
      taken.add(old);
    }
  });
  return joined;
}

/** A repair that never ran, or has still to be judged, must not hide the failure. */
function hasRun(turn: TurnState, run: RunState): boolean {
  const label = runLabel(run, wasLeft(turn, run));
  return run.phase === 'ended' && !NEVER_RAN.includes(label);
}

function chain(
  joined: ReadonlyMap<RunState, RunState>,
  run: RunState
): readonly RunState[] {
  const old = joined.get(run);
  return old === undefined ? NONE : [...chain(joined, old), old];
}
