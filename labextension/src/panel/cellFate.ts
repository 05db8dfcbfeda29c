import type { Variable } from '../protocol/generated';

/** The cells of an open notebook. */
export interface NotebookCells {
  /** The digests of their sources, by cell id. */
  readonly digests: ReadonlyMap<string, string>;
  /** Whether a cell was ever there since the notebook was loaded here. */
  held(cellId: string): boolean;
}

/** What became of the cell that bound a variable last; null where nothing is wrong, or unknown. */
export type CellFate = 'gone' | 'edited' | null;

/**
 * Compare the cell that bound a variable, as it was then, with the notebook as it is now. A cell
 * that was never there is of a console or of another notebook: of that nothing is known.
 */
export function cellFate(
  { cell_id, cell_sha256 }: Variable,
  cells: NotebookCells | null
): CellFate {
  if (cells === null || cell_id === null) {
    return null;
  }
  const { digests } = cells;
  const now = digests.get(cell_id);
  if (now === undefined) {
    const copied = [...digests.values()].some(one => one === cell_sha256);
    return cells.held(cell_id) && !copied ? 'gone' : null;
  }
  return cell_sha256 === null || cell_sha256 === now ? null : 'edited';
}
