import type { DesiredCell } from '../state/cells';

/**
 * What is known of the cells that other threads want in the same notebook.
 */
export interface Neighbours {
  readonly cells: readonly DesiredCell[];
  /** Whether no more threads are to be expected, so that what is not known now never will be. */
  readonly complete: boolean;
}

/** A thread that is alone with a notebook. */
export const ALONE: Neighbours = { cells: [], complete: true };

/**
 * The cells of a notebook as they would stand if all that were made since had been put in at once,
 * each when it was made: the same whichever of them are there, and whichever came in first.
 */
export class Line {
  /**
   * @param ids the cells that are there
   * @param made those that threads want, in the order they were made; see `inOrderMade`
   * @param strangers the cells of threads that are not known
   */
  constructor(
    ids: readonly string[],
    made: readonly DesiredCell[],
    private readonly _strangers: ReadonlySet<string>
  ) {
    for (const cell of made) {
      this._made.set(cell.cellId, cell);
      cell.supersedes.forEach(id => this._heirs.set(id, cell.cellId));
    }
    this._there = new Set(ids);
    this._ids = ids.filter(id => !this._made.has(id) && !this._heirs.has(id));
    made.forEach(cell => this._enter(cell));
  }

  /** Whether what a cell followed is not known, nor what that followed. */
  isLost(cell: DesiredCell): boolean {
    return this._lost.has(cell.cellId);
  }

  /** The cells from the start up to the one that a cell follows, the last first. */
  upTo(cell: DesiredCell): readonly string[] {
    const end = this._root(cell) ?? this._indexOf(cell.cellId) - 1;
    const before = this._ids.slice(0, end + 1).reverse();
    return cell.after === null ? before : [cell.after, ...before];
  }

  /** What stands between one cell and a later one, with the attempts that it stands for. */
  between(first: string, last: DesiredCell): ReadonlySet<string> {
    const [from, to] = [first, last.cellId].map(id => this._indexOf(id));
    const ids = this._ids.slice(Math.max(0, from), to);
    const attempts = ids.flatMap(id => this._made.get(id)?.supersedes ?? []);
    return new Set([...ids, ...attempts]);
  }

  /** Put a cell in, after the one it follows: of two that only wait for the kernel none is earlier. */
  private _enter(cell: DesiredCell): void {
    if (this._entered.has(cell)) {
      return;
    }
    this._entered.add(cell);
    const after = cell.after ?? '';
    const followed = this._made.get(this._heirs.get(after) ?? after);
    if (followed) {
      this._enter(followed);
    }
    this._put(cell);
  }

  private _put(cell: DesiredCell): void {
    const root = this._root(cell);
    if (cell.after !== null && (root === null || this._isLostAt(root))) {
      this._lost.add(cell.cellId);
    }
    const at =
      root === null
        ? (this._behindTurn(cell) ?? this._ids.length)
        : this._pastEarlier(cell, root + 1);
    this._ids.splice(at, 0, cell.cellId);
  }

  /** Whether the cell at an index is neither there nor of a known place. */
  private _isLostAt(root: number): boolean {
    const id = this._ids[root];
    return this._lost.has(id) && !this._there.has(id);
  }

  /** Where the cell that it follows stands, or null if that is not known. */
  private _root(cell: DesiredCell): number | null {
    const at = cell.after === null ? -1 : this._indexOf(cell.after);
    return at < 0 ? null : at;
  }

  private _behindTurn({ turnId, metadata }: DesiredCell): number | null {
    const mates = this._ids.filter(id => {
      const other = this._made.get(id);
      return (
        other?.turnId === turnId && other.metadata.thread === metadata.thread
      );
    });
    const last = this._ids.lastIndexOf(mates.at(-1) ?? '');
    return last < 0 ? null : last + 1;
  }

  /**
   * What a message is to follow was decided when it was sent; what came there since is earlier, be
   * it of the turn that a queued message waited for or, until the thread had a place, of another.
   */
  private _pastEarlier(cell: DesiredCell, from: number): number {
    const { thread } = cell.metadata;
    const ofThread = (id: string): string | undefined =>
      this._made.get(id)?.metadata.thread;
    const first = ofThread(this._ids[from - 1]) !== thread;
    const isEarlier = (id: string): boolean => {
      const other = ofThread(id);
      return other === undefined
        ? first && cell.placed === null && this._strangers.has(id)
        : first || other === thread;
    };
    const end = this._ids.slice(from).findIndex(id => !isEarlier(id));
    return end < 0 ? this._ids.length : from + end;
  }

  /** An attempt that gave way stands where its heir does. */
  private _indexOf(id: string): number {
    return this._ids.indexOf(this._heirs.get(id) ?? id);
  }

  private readonly _made = new Map<string, DesiredCell>();
  private readonly _heirs = new Map<string, string>();
  private readonly _entered = new Set<DesiredCell>();
  private readonly _lost = new Set<string>();
  private readonly _there: ReadonlySet<string>;
  private readonly _ids: string[];
}

/**
 * Cells of several threads in the order they were made, those of a thread in the order given.
 */
export function inOrderMade(cells: readonly DesiredCell[]): DesiredCell[] {
  const latest = new Map<string, number>();
  const timed = cells.map(cell => {
    const { thread } = cell.metadata;
    const at = Math.max(latest.get(thread) ?? 0, cell.madeAt ?? 0);
    latest.set(thread, at);
    return { cell, at, thread };
  });
  return timed
    .sort(
      (first, second) =>
        compare(first.at, second.at) || compare(first.thread, second.thread)
    )
    .map(({ cell }) => cell);
}

function compare<T extends number | string>(first: T, second: T): number {
  return first < second ? -1 : Number(first > second);
}
