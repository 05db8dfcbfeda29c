import type {
  Excerpt,
  Outline,
  OutlineCell
} from '../protocol/commands.generated';
import { LIMITS } from './limits';
import { sha256 } from './sha256';

/**
 * A cell as the outline takes it; outputs are only read in the window around the anchor.
 */
export interface OutlineSource {
  readonly id: string;
  readonly type: OutlineCell['cell_type'];
  readonly source: string;
  readonly sha256: string;
  readonly executionCount: number | null;
  readonly byCaveLab: boolean;
  /** The text of its outputs, or null if it has none. */
  output(): string | null;
}

/**
 * What the notebook looks like now, never larger than the server takes: the cells nearest to the
 * anchor with their sources and short outputs, more of them as ids and hashes, and how many there
 * are in all.
 */
export function makeOutline(
  cells: readonly OutlineSource[],
  anchor: number
): Outline {
  const order = outwards(cells.length, anchor);
  const ids = new Allowance(LIMITS.outlineIdsBytes);
  const taken = new Map<number, OutlineCell>();
  for (const index of order) {
    const entry = bare(cells[index]);
    if (!ids.take(bytesOf(entry) + 1)) {
      break;
    }
    taken.set(index, entry);
  }
  const rest = new Allowance(LIMITS.outlineWindowBytes);
  for (const [index, entry] of taken) {
    const full = { ...entry, ...details(cells[index]) };
    if (!rest.take(bytesOf(full) - bytesOf(entry))) {
      break;
    }
    taken.set(index, full);
  }
  const inOrder = [...taken].sort(([first], [second]) => first - second);
  return {
    cells: inOrder.map(([, entry]) => entry),
    total: cells.length,
    sha256: sha256(cells.map(cell => `${cell.id} ${cell.sha256}`).join('\n'))
  };
}

/** What is left of so many bytes. */
class Allowance {
  constructor(private _left: number) {}

  /** Take some, if there are as many. */
  take(bytes: number): boolean {
    const fits = bytes <= this._left;
    this._left -= fits ? bytes : 0;
    return fits;
  }
}

/** All indices, the nearest to the anchor first, and of two as near the one before it. */
function outwards(length: number, anchor: number): number[] {
  const middle = anchor < 0 ? length - 1 : anchor;
  return Array.from({ length }, (_, index) => index).sort(
    (first, second) =>
      Math.abs(first - middle) - Math.abs(second - middle) || first - second
  );
}

function bare(cell: OutlineSource): OutlineCell {
  return {
    cell_id: cell.id,
    cell_type: cell.type,
    sha256: cell.sha256,
    ...(cell.executionCount === null
      ? {}
      : { execution_count: cell.executionCount }),
    ...(cell.byCaveLab ? { by_cave_lab: true } : {})
  };
}

function details(cell: OutlineSource): Partial<OutlineCell> {
  const output = cell.output();
  return {
    ...(cell.source.length <= LIMITS.sourceChars
      ? { source: whole(cell.source) }
      : {}),
    ...(output === null ? {} : { output: shorten(output) })
  };
}

function shorten(text: string): Excerpt {
  const { outputHeadChars: head, outputTailChars: tail } = LIMITS;
  const total = text.length;
  return total <= head + tail
    ? { head: whole(text), total }
    : {
        head: whole(text.slice(0, head)),
        tail: whole(text.slice(-tail)),
        total,
        cut: true
      };
}

/** Half a character, as a cut or a broken file leaves it, can't be sent. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function bytesOf(value: OutlineCell): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
