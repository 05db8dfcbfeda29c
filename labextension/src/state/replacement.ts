import type { RunState, ThreadState } from '../protocol/generated';
import { findRun } from './change';
import { repairedBy, runsOf, wasIntended } from './lineage';

/**
 * Which runs' cells gave their place to a later run's.
 */
export type Replacements = ReadonlyMap<CellRun, CellRun>;

/**
 * A run whose cell has its id.
 */
export type CellRun = RunState & { cell_id: string };

/**
 * Whether a run has a cell in the notebook, unless a later one takes its place.
 */
export function hasCell(run: RunState): run is CellRun {
  return wasIntended(run) && !run.scratch && run.cell_id !== null;
}

/**
 * Find the attempts that the notebook need not show: it must reproduce what happened, so only
 * those that certainly changed nothing and that the person left alone.
 */
export function findReplacements(state: ThreadState): Replacements {
  const found = new Map<CellRun, CellRun>();
  for (const turn of state.turns) {
    const runs = runsOf(state, turn);
    runs.forEach((run, index) => {
      if (hasCell(run)) {
        const earlier = runs.slice(0, index);
        for (const old of replacedBy(state, run, earlier)) {
          found.set(old, run);
        }
      }
    });
  }
  return found;
}

/**
 * The run whose cell stands where this run's would.
 */
export function standsFor(found: Replacements, run: CellRun): CellRun {
  const next = found.get(run);
  return next === undefined ? run : standsFor(found, next);
}

function replacedBy(
  state: ThreadState,
  run: CellRun,
  earlier: readonly RunState[]
): CellRun[] {
  const previous = earlier.filter(didRun).at(-1);
  const repaired = repairedBy(state, run);
  const retried = findRun(state, run.attempt_of);
  return earlier
    .filter(hasCell)
    .filter(
      old =>
        old.cell_id === run.cell_id ||
        (old === repaired && old === previous && failedWithoutTrace(old)) ||
        (old === retried && old.status === 'not_run' && untouched(old))
    );
}

/** What was sent and did not come back as never taken up. */
function didRun(run: RunState): boolean {
  return wasIntended(run) && run.status !== 'not_run';
}

function failedWithoutTrace(run: RunState): boolean {
  return (
    run.status === 'error' &&
    run.variables_complete &&
    run.variables.length === 0 &&
    untouched(run)
  );
}

function untouched(run: RunState): boolean {
  return run.verdict === null;
}
