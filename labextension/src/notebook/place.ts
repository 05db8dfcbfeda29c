import type { DesiredCell } from '../state/cells';
import type { Line } from './line';

/**
 * Where a cell that is not in the document belongs in it.
 *
 * In the place of the attempts it stands for; else, if what it followed is not known, beside its
 * turn's other cells; else where it stands in the line of all cells: after the nearest one before
 * it that is there, and past what was made between the two.
 */
export function placeOf(
  cell: DesiredCell,
  desired: readonly DesiredCell[],
  ids: readonly string[],
  line: Line
): number {
  return (
    afterAny(cell.supersedes, ids) ??
    (line.isLost(cell) ? besideTurn(cell, desired, ids) : null) ??
    inLine(cell, ids, line)
  );
}

function inLine(cell: DesiredCell, ids: readonly string[], line: Line): number {
  const there = new Set(ids);
  const before = line.upTo(cell).find(id => there.has(id));
  if (before === undefined) {
    return 0;
  }
  const at = ids.indexOf(before) + 1;
  const passed = line.between(before, cell);
  const end = ids.slice(at).findIndex(id => !passed.has(id));
  return end < 0 ? ids.length : at + end;
}

function afterAny(
  wanted: readonly string[],
  ids: readonly string[]
): number | null {
  const last = Math.max(-1, ...wanted.map(id => ids.indexOf(id)));
  return last < 0 ? null : last + 1;
}

/** After the nearest earlier cell of its turn, or before the nearest later one. */
function besideTurn(
  cell: DesiredCell,
  desired: readonly DesiredCell[],
  ids: readonly string[]
): number | null {
  const turn = desired.filter(other => other.turnId === cell.turnId);
  const at = turn.indexOf(cell);
  const isThere = (other: DesiredCell): boolean => ids.includes(other.cellId);
  const before = turn.slice(0, at).filter(isThere).at(-1);
  if (before) {
    return ids.indexOf(before.cellId) + 1;
  }
  const next = turn.slice(at + 1).find(isThere);
  return next ? ids.indexOf(next.cellId) : null;
}
