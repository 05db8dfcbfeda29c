import type { DesiredCell } from '../state/cells';
import type { Report } from './plan';
import { type Told, untold } from './told';

/**
 * What a writer remembers of one cell in one document.
 */
export interface CellMemory {
  /** Whether it was there at the last look. */
  readonly present: boolean;
  /** Who took it out, if somebody did. */
  readonly gone: 'by_person' | 'by_us' | null;
  /** Whether its outputs are the person's now: they ran it, cleared it or changed its kind. */
  readonly released: boolean;
  /** The execution count that we wrote, or found at first. */
  readonly count: number | null;
  /** What was written in full, and whether that was after the end. */
  readonly written: Pick<DesiredCell, 'outputs' | 'truncated' | 'ended'> | null;
  /** What the server has been told and has not answered yet. */
  readonly told: readonly Told[];
}

/**
 * What a writer remembers of one document, by cell id.
 */
export type WriterMemory = ReadonlyMap<string, CellMemory>;

const UNKNOWN: CellMemory = {
  present: false,
  gone: null,
  released: false,
  count: null,
  written: null,
  told: []
};

/**
 * What is remembered of a cell.
 */
export function recall(memory: WriterMemory, cellId: string): CellMemory {
  return memory.get(cellId) ?? UNKNOWN;
}

/**
 * What still holds after the document was replaced as a whole: absence is no deletion then, and
 * what was written may be gone.
 */
export function afresh(memory: WriterMemory): WriterMemory {
  return new Map(
    [...memory].map(([cellId, { gone, told }]) => [
      cellId,
      { ...UNKNOWN, gone: gone === 'by_person' ? gone : null, told }
    ])
  );
}

/**
 * Remember that all outputs of a cell so far are in the document.
 */
export function wrote(memory: WriterMemory, cell: DesiredCell): WriterMemory {
  const { outputs, truncated, ended } = cell;
  const written = { outputs, truncated, ended };
  return change(memory, cell.cellId, { written });
}

/**
 * Remember that a cell's outputs were changed by somebody else.
 */
export function release(memory: WriterMemory, cellId: string): WriterMemory {
  return change(memory, cellId, { released: true });
}

/**
 * Forget a report that the server did not take, so that it is told again.
 */
export function forget(memory: WriterMemory, report: Report): WriterMemory {
  return new Map(
    [...memory].map(([cellId, one]) => [
      cellId,
      { ...one, told: untold(one.told, report) }
    ])
  );
}

/**
 * Whether what was written in full is what the cell should show.
 */
export function isWritten(memory: CellMemory, cell: DesiredCell): boolean {
  const { written } = memory;
  return (
    written !== null &&
    written.outputs === cell.outputs &&
    written.truncated === cell.truncated &&
    written.ended === cell.ended
  );
}

function change(
  memory: WriterMemory,
  cellId: string,
  fields: Partial<CellMemory>
): WriterMemory {
  const changed = { ...recall(memory, cellId), ...fields };
  return new Map([...memory, [cellId, changed]]);
}
