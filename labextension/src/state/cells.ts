import type {
  NotebookRef,
  Output,
  RunState,
  RunStatus,
  ThreadState,
  TurnState,
  Verdict
} from '../protocol/generated';
import { approvedBy, runsOf } from './lineage';
import {
  findReplacements,
  hasCell,
  standsFor,
  type CellRun,
  type Replacements
} from './replacement';

/**
 * What a cell of ours carries under `metadata.cave_lab`.
 */
export interface CellMetadata {
  readonly thread: string;
  readonly turn: string;
  readonly run: string;
  readonly cell_id: string;
  readonly model: string | null;
  readonly sha256: string | null;
  /** `person`, or the mode or scope that allowed it, as `mode:auto`. */
  readonly approved_by: string | null;
  readonly reviewed: boolean;
}

/**
 * One cell as the journal wants it in the notebook.
 */
export interface DesiredCell {
  readonly runId: string;
  readonly cellId: string;
  readonly turnId: string;
  /** The notebook that the run was sent for; its path may be an older one. */
  readonly notebook: NotebookRef | null;
  readonly code: string;
  /** A blob stays a reference here. */
  readonly outputs: readonly Output[];
  readonly truncated: string | null;
  readonly executionCount: number | null;
  /** When its first attempt began, in milliseconds; infinite before, null if that never was. */
  readonly madeAt: number | null;
  /** Between the decision to send it and its end. */
  readonly running: boolean;
  readonly ended: boolean;
  readonly status: RunStatus | null;
  /** The cell it follows. */
  readonly after: string | null;
  /** The cell of the attempt whose place it takes. */
  readonly replaces: string | null;
  /** All cells it stands for, oldest first; `replaces` is the last of them. */
  readonly supersedes: readonly string[];
  readonly placed: RunState['placed'];
  readonly verdict: Verdict | null;
  /** Whether the run was allowed, so that its outputs may be shown as trusted. */
  readonly trusted: boolean;
  readonly metadata: CellMetadata;
}

/**
 * The cells that the notebook should hold, in the order they ran.
 */
export function desiredCells(state: ThreadState): DesiredCell[] {
  const found = findReplacements(state);
  const places = new Places(found);
  return state.turns.flatMap(turn =>
    runsOf(state, turn)
      .filter(hasCell)
      .filter(run => !found.has(run))
      .map(run => describe(state, turn, run, places))
  );
}

/** Where cells stand once attempts gave way to later ones. */
class Places {
  private readonly _attempts = new Map<CellRun, readonly CellRun[]>();

  constructor(private readonly _found: Replacements) {
    for (const old of _found.keys()) {
      const heir = standsFor(_found, old);
      this._attempts.set(heir, [...this.attempts(heir), old]);
    }
  }

  /** The attempts that a run's cell stands for, oldest first. */
  attempts(run: CellRun): readonly CellRun[] {
    return this._attempts.get(run) ?? [];
  }

  /** The cell that a run's cell follows; an attempt's neighbour follows its heir. */
  after(run: CellRun): string | null {
    const first = this.attempts(run).at(0) ?? run;
    for (const old of this._found.keys()) {
      if (old.cell_id === first.after) {
        return standsFor(this._found, old).cell_id;
      }
    }
    return first.after;
  }
}

function describe(
  state: ThreadState,
  turn: TurnState,
  run: CellRun,
  places: Places
): DesiredCell {
  const supersedes = places
    .attempts(run)
    .map(old => old.cell_id)
    .filter(id => id !== run.cell_id);
  const metadata = makeMetadata(state, turn, run);
  return {
    runId: run.run_id,
    cellId: run.cell_id,
    turnId: turn.turn_id,
    notebook: run.target?.notebook ?? null,
    code: run.code,
    outputs: run.outputs,
    truncated: run.truncated,
    executionCount: run.execution_count,
    madeAt: madeAt(places.attempts(run).at(0) ?? run),
    running: run.phase === 'intended' || run.phase === 'running',
    ended: run.phase === 'ended',
    status: run.status,
    after: places.after(run),
    replaces: supersedes.at(-1) ?? null,
    supersedes,
    placed: run.placed,
    verdict: run.verdict,
    trusted: metadata.approved_by !== null,
    metadata
  };
}

function madeAt(run: RunState): number | null {
  if (run.started_at !== null) {
    return Date.parse(run.started_at);
  }
  return run.phase === 'ended' ? null : Infinity;
}

function makeMetadata(
  state: ThreadState,
  turn: TurnState,
  run: CellRun
): CellMetadata {
  const call = turn.calls.find(one => one.call === run.call);
  return {
    thread: state.thread_id,
    turn: turn.turn_id,
    run: run.run_id,
    cell_id: run.cell_id,
    model: call?.model ?? null,
    sha256: run.sha256,
    approved_by: approvedBy(state, run),
    reviewed: run.verdict === 'kept'
  };
}
