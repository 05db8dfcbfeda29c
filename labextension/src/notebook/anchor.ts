/**
 * As much of a cell as tells whether new cells should follow it.
 */
export interface AnchorCell {
  /** The thread that put it in, or null for a cell of the person's. */
  readonly thread: string | null;
  readonly executionCount: number | null;
}

/**
 * The index of the cell that a thread's new cells follow; -1 in an empty notebook.
 *
 * The cell that the person is in, null if they have been in none; else the thread's own last one;
 * else the one that was run last; else the last of all. Of cells of ours that follow it already the
 * last, so that a later turn does not come before an earlier one.
 */
export function chooseAnchor(
  cells: readonly AnchorCell[],
  person: number | null,
  threadId: string | null
): number {
  const at =
    person ?? ownLast(cells, threadId) ?? lastRun(cells) ?? cells.length - 1;
  const behind = cells.slice(at + 1);
  const theirs = behind.findIndex(cell => cell.thread === null);
  return at + (theirs < 0 ? behind.length : theirs);
}

function ownLast(
  cells: readonly AnchorCell[],
  threadId: string | null
): number | null {
  const own = cells.flatMap(({ thread }, index) =>
    thread !== null && thread === threadId ? [index] : []
  );
  return own.at(-1) ?? null;
}

function lastRun(cells: readonly AnchorCell[]): number | null {
  const counts = cells.map(cell => cell.executionCount ?? 0);
  const highest = Math.max(0, ...counts);
  return highest === 0 ? null : counts.lastIndexOf(highest);
}
