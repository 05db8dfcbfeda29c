import type { DesiredCell } from '../state/cells';
import type { CellMemory } from './memory';
import type { SnapshotCell } from './plan';
import { isOurMark } from './provenance';

/**
 * Whether a cell is the one that the thread means: a stranger may have its id.
 */
export function isOurs(found: SnapshotCell, cell: DesiredCell): boolean {
  const { id, mark } = found;
  return isOurMark(mark, id) && mark.thread === cell.metadata.thread;
}

/**
 * The ids of the cells that other threads than a cell's own have put in.
 */
export function ofOthers(
  cells: readonly SnapshotCell[],
  cell: DesiredCell
): ReadonlySet<string> {
  const others = cells.filter(
    ({ id, mark }) =>
      isOurMark(mark, id) && mark.thread !== cell.metadata.thread
  );
  return new Set(others.map(({ id }) => id));
}

/**
 * Whether the document still waits for the run's outputs; a cell may serve a run tried again.
 */
export function isOngoing(found: SnapshotCell, cell: DesiredCell): boolean {
  return found.mark?.status === 'running' || found.mark?.run !== cell.runId;
}

/**
 * Whether the person wants it out of the document.
 */
export function isOut(cell: DesiredCell): boolean {
  return cell.verdict === 'undone' || cell.verdict === 'deleted_by_user';
}

/**
 * Whether the person changed its text or its kind.
 */
export function wasEdited(found: SnapshotCell, cell: DesiredCell): boolean {
  return found.type !== 'code' || !sameCode(found.source ?? '', cell.code);
}

/**
 * Whose outputs the cell has: the count tells a run of the person's from ours.
 */
export function see(
  cell: DesiredCell,
  found: SnapshotCell,
  memory: CellMemory
): CellMemory {
  const count = found.executionCount;
  const expected = count === memory.count || count === cell.executionCount;
  const foreign = found.personRan || found.type !== 'code' || !expected;
  const done = !isOngoing(found, cell) && memory.written === null;
  return {
    ...memory,
    present: true,
    released: memory.released || foreign || done,
    count: memory.present ? memory.count : count
  };
}

/**
 * Whether two sources are the same code, however their lines end.
 */
function sameCode(first: string, second: string): boolean {
  return first === second || unix(first) === unix(second);
}

function unix(source: string): string {
  return source.replace(/\r\n?/g, '\n');
}
