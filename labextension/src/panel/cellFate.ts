import type { Variable } from '../protocol/generated';

/** The digests of a notebook's sources, by cell id. */
export type CellDigests = ReadonlyMap<string, string>;

/** What became of the cell that bound a variable last; null where nothing is wrong, or unknown. */
export type CellFate = 'gone' | 'edited' | null;

/** Compare the cell that bound a variable, as it was then, with the notebook as it is now. */
export function cellFate(
  { cell_id, cell_sha256 }: Variable,
  cells: CellDigests | null
): CellFate {
  if (cells === null || cell_id === null) {
    return null;
  }
  const now = cells.get(cell_id);
  if (now === undefined) {
    return 'gone';
  }
  return cell_sha256 === null || cell_sha256 === now ? null : 'edited';
}
