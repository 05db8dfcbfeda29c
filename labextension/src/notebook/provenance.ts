import type { RunStatus } from '../protocol/generated';
import type { CellMetadata, DesiredCell } from '../state/cells';

/** Where a cell's metadata keeps what is ours. */
export const METADATA_KEY = 'cave_lab';

/**
 * What the document says of a cell's run: `running` until its last output is written.
 *
 * It lets a writer that finds the cell later know whether the outputs are its to complete.
 */
export type WrittenStatus = 'running' | RunStatus;

/**
 * What stands under `metadata.cave_lab` of a cell.
 */
export interface CellMark extends CellMetadata {
  readonly status: WrittenStatus;
  /** Whether it was folded as a failed attempt, so that it stays open if the person opens it. */
  readonly folded: boolean;
}

/**
 * A mark as it was read: only these three can be relied on to be there.
 */
export type FoundMark = Partial<CellMark> &
  Pick<CellMark, 'thread' | 'run' | 'cell_id'>;

/**
 * Read a cell's mark, or null if there is none that names a thread, run and cell.
 */
export function readMark(value: unknown): FoundMark | null {
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const mark = value as Partial<CellMark>;
  const named = [mark.thread, mark.run, mark.cell_id];
  return named.every(id => typeof id === 'string') ? (mark as FoundMark) : null;
}

/**
 * What the mark of a cell should say, keeping what another version added.
 */
export function makeMark(
  cell: DesiredCell,
  old: FoundMark | null,
  changes: Partial<Pick<CellMark, 'status' | 'folded'>>
): CellMark {
  const same = old?.run === cell.runId;
  const status = same ? (old.status ?? 'unknown') : 'running';
  return { folded: false, ...old, ...cell.metadata, status, ...changes };
}

/**
 * Whether two marks say the same.
 */
export function sameMark(first: FoundMark | null, second: CellMark): boolean {
  const keys = Object.keys(second) as (keyof CellMark)[];
  return first !== null && keys.every(key => first[key] === second[key]);
}

/**
 * Whether a mark is that of the cell it was found on: a copy carries another cell's.
 */
export function isOurMark(
  mark: FoundMark | null,
  cellId: string
): mark is FoundMark {
  return mark?.cell_id === cellId;
}
