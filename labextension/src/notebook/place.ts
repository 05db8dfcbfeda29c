import type { DesiredCell } from '../state/cells';

/**
 * Where a cell that is not in the document belongs in it.
 *
 * In the place of the attempts it stands for; else after the cell it follows; else beside its
 * turn's other cells; else after whatever the missing cells before it followed; else at the end.
 * `others` are the cells of other threads.
 */
export function placeOf(
  cell: DesiredCell,
  desired: readonly DesiredCell[],
  ids: readonly string[],
  others: ReadonlySet<string> = new Set()
): number {
  const past = (at: number | null): number | null =>
    at === null ? null : pastEarlier(at, cell, desired, ids, others);
  return (
    afterAny(cell.supersedes, ids) ??
    past(afterAny(cell.after, ids)) ??
    besideTurn(cell, desired, ids) ??
    past(afterAncestor(cell, desired, ids)) ??
    ids.length
  );
}

/**
 * What a message is to follow was decided when it was sent; what came there since is earlier, be it
 * of the turn that a queued message waited for or, until the cell had a place, of another thread.
 */
function pastEarlier(
  at: number,
  cell: DesiredCell,
  desired: readonly DesiredCell[],
  ids: readonly string[],
  others: ReadonlySet<string>
): number {
  const earlier = desired.slice(0, desired.indexOf(cell));
  const ours = new Set(earlier.flatMap(one => [one.cellId, ...one.supersedes]));
  const first = cell.placed === null && !ours.has(cell.after ?? '');
  const rest = ids.slice(at);
  const end = rest.findIndex(id => !ours.has(id) && !(first && others.has(id)));
  return end < 0 ? ids.length : at + end;
}

function afterAny(
  wanted: string | readonly string[] | null,
  ids: readonly string[]
): number | null {
  const all = wanted === null ? [] : [wanted].flat();
  const last = Math.max(-1, ...all.map(id => ids.indexOf(id)));
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

/** What the cell that it follows followed, if that is missing too, and so on. */
function afterAncestor(
  cell: DesiredCell,
  desired: readonly DesiredCell[],
  ids: readonly string[]
): number | null {
  const known = new Map(desired.map(other => [other.cellId, other]));
  const visited = new Set<string>();
  let at: string | null = cell.after;
  while (at !== null && !visited.has(at)) {
    visited.add(at);
    const missing = known.get(at);
    const found = afterAny([at, ...(missing?.supersedes ?? [])], ids);
    if (found !== null) {
      return found;
    }
    at = missing?.after ?? null;
  }
  return null;
}
