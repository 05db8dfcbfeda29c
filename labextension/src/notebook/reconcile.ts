import type { DesiredCell } from '../state/cells';
import { isOngoing, isOurs, isOut, ofOthers, see, wasEdited } from './judge';
import { ALONE, inOrderMade, Line, type Neighbours } from './line';
import {
  afresh,
  type CellMemory,
  isWritten,
  recall,
  type WriterMemory
} from './memory';
import { placeOf } from './place';
import type { DocumentSnapshot, Edit, Report, SnapshotCell } from './plan';
import { type FoundMark, makeMark, sameMark } from './provenance';
import { sha256 } from './sha256';
import { placedReport, standing, verdictReport } from './told';

/** The first version of the notebook format that keeps cell ids. */
const MINOR_WITH_IDS = 5;

/**
 * What a look at the document comes to.
 */
export interface Reconciled {
  readonly edits: readonly Edit[];
  readonly reports: readonly Report[];
  /** What to remember once the edits are made. */
  readonly memory: WriterMemory;
  /** Whether a cell is not put in yet because the one that it follows may still become known. */
  readonly waits: boolean;
}

/**
 * Decide how the document gets from what it holds to what the journal wants, without touching
 * anything of the person's.
 */
export function reconcile(
  desired: readonly DesiredCell[],
  snapshot: DocumentSnapshot,
  memory: WriterMemory,
  neighbours: Neighbours = ALONE
): Reconciled {
  const look = new Look(desired, snapshot, memory, neighbours);
  for (const cell of desired) {
    look.visit(cell);
  }
  return look.outcome();
}

/** One pass over the cells. */
class Look {
  constructor(
    private readonly _desired: readonly DesiredCell[],
    private readonly _snapshot: DocumentSnapshot,
    memory: WriterMemory,
    private readonly _neighbours: Neighbours
  ) {
    this._memory = new Map(_snapshot.replaced ? afresh(memory) : memory);
    this._ids = _snapshot.cells.map(cell => cell.id);
    for (const cell of [..._snapshot.cells].reverse()) {
      this._found.set(cell.id, cell);
    }
  }

  visit(cell: DesiredCell): void {
    const found = this._found.get(cell.cellId);
    const old = recall(this._memory, cell.cellId);
    const out = !found && (old.present || old.gone !== null);
    const told = standing(old.told, cell, out);
    const memory = { ...old, told };
    if (!found) {
      this._absent(cell, memory);
    } else if (isOurs(found, cell)) {
      this._present(cell, found, memory);
    } else {
      this._remember(cell, { ...memory, present: true });
    }
  }

  outcome(): Reconciled {
    const upgrade =
      this._snapshot.nbformatMinor < MINOR_WITH_IDS &&
      this._edits.some(edit => edit.kind === 'insert');
    const first: Edit[] = upgrade ? [{ kind: 'upgrade_minor' }] : [];
    return {
      edits: [...first, ...this._edits],
      reports: this._reports,
      memory: this._memory,
      waits: this._waits
    };
  }

  private _absent(cell: DesiredCell, memory: CellMemory): void {
    const gone = memory.present ? 'by_person' : memory.gone;
    let next: CellMemory = { ...memory, present: false, gone };
    if (gone === 'by_person' && !isOut(cell)) {
      next = this._tellVerdict(cell, next, 'deleted_by_user');
    }
    if (this._mayInsert(cell, next)) {
      next = this._insertOrWait(cell, next);
    }
    this._remember(cell, next);
  }

  private _mayInsert(cell: DesiredCell, memory: CellMemory): boolean {
    return (
      this._snapshot.writable &&
      cell.placed !== 'in_file' &&
      memory.gone === null &&
      !isOut(cell)
    );
  }

  private _insertOrWait(cell: DesiredCell, memory: CellMemory): CellMemory {
    this._line ??= this._makeLine(cell);
    if (this._line.isLost(cell) && !this._neighbours.complete) {
      this._waits = true;
      return memory;
    }
    const index = placeOf(cell, this._desired, this._ids, this._line);
    return this._insert(cell, memory, index);
  }

  private _makeLine(cell: DesiredCell): Line {
    const made = [...this._desired, ...this._neighbours.cells];
    const others = ofOthers(this._snapshot.cells, cell);
    return new Line(this._ids, inOrderMade(made), others);
  }

  private _insert(
    cell: DesiredCell,
    memory: CellMemory,
    index: number
  ): CellMemory {
    const replaces = cell.supersedes.filter(id => this._mayReplace(id));
    const mark = makeMark(cell, null, {});
    this._edits.push({ kind: 'insert', cell, index, replaces, mark });
    this._ids.splice(index, 0, cell.cellId);
    this._ids = this._ids.filter(id => !replaces.includes(id));
    for (const id of replaces) {
      const old = recall(this._memory, id);
      this._memory.set(id, { ...old, present: false, gone: 'by_us' });
    }
    if (cell.running) {
      const { cellId } = cell;
      this._edits.push({ kind: 'state', cellId, running: true });
    }
    this._edits.push({ kind: 'outputs', cell });
    return { ...memory, count: cell.executionCount };
  }

  /** An attempt may go only if it is as it was written. */
  private _mayReplace(cellId: string): boolean {
    const found = this._found.get(cellId);
    const { released } = recall(this._memory, cellId);
    return (
      found?.mark?.cell_id === cellId &&
      found.type === 'code' &&
      sha256(found.source ?? '') === found.mark.sha256 &&
      !found.personRan &&
      !released
    );
  }

  private _present(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory
  ): void {
    let next = see(cell, found, memory);
    next = this._tellPlaced(cell, found, next, memory.gone !== null);
    if (cell.verdict === 'undone') {
      this._remember(cell, this._undo(cell, found, next));
      return;
    }
    next = { ...next, gone: null };
    if (wasEdited(found, cell)) {
      next = this._leave(cell, found, next);
    } else if (next.released) {
      this._stopShowing(cell, found);
    } else {
      next = this._bring(cell, found, next);
    }
    this._mark(cell, found, next);
    this._remember(cell, next);
  }

  /** The person took the cell back; if they brought it in again, it stays. */
  private _undo(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory
  ): CellMemory {
    if (memory.gone === 'by_us') {
      return this._tellVerdict(cell, memory, 'kept');
    }
    if (wasEdited(found, cell)) {
      return this._leave(cell, found, memory);
    }
    if (!this._snapshot.writable) {
      return memory;
    }
    this._edits.push({ kind: 'remove', cellId: cell.cellId });
    this._ids = this._ids.filter(id => id !== cell.cellId);
    return { ...memory, present: false, gone: 'by_us' };
  }

  /** The person changed it: what they wrote stays, and the server is told. */
  private _leave(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory
  ): CellMemory {
    this._stopShowing(cell, found);
    return cell.verdict === 'kept'
      ? memory
      : this._tellVerdict(cell, memory, 'edited_since');
  }

  /** Take a `[*]` of ours away from a cell that we write no more. */
  private _stopShowing(cell: DesiredCell, found: SnapshotCell): void {
    if (found.running && isOngoing(found, cell) && !found.personRan) {
      this._push({ kind: 'state', cellId: cell.cellId, running: false });
    }
  }

  /** Bring count, state and outputs to what the run has come to. */
  private _bring(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory
  ): CellMemory {
    const { cellId, running, executionCount: count } = cell;
    if (!this._snapshot.writable) {
      return memory;
    }
    if (count !== null && found.executionCount !== count) {
      this._push({ kind: 'count', cellId, count });
    }
    const shows = found.running ?? running;
    if (shows !== running && (running || isOngoing(found, cell))) {
      this._push({ kind: 'state', cellId, running });
    }
    if (!isWritten(memory, cell)) {
      this._push({ kind: 'outputs', cell });
    }
    return { ...memory, count: count ?? memory.count };
  }

  private _mark(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory
  ): void {
    const old = found.mark;
    const touched = memory.released || wasEdited(found, cell);
    const done = cell.ended && (touched || isWritten(memory, cell));
    const fold = !touched && done && this._isFoldable(cell, old);
    const mark = makeMark(cell, old, {
      ...(done ? { status: cell.status ?? 'unknown' } : {}),
      ...(fold ? { folded: true } : {})
    });
    if (!sameMark(old, mark)) {
      this._push({ kind: 'mark', cellId: cell.cellId, mark, fold });
    }
  }

  /** A failed attempt that stays is folded once a later run of its turn worked. */
  private _isFoldable(cell: DesiredCell, old: FoundMark | null): boolean {
    const later = this._desired.slice(this._desired.indexOf(cell) + 1);
    return (
      cell.status === 'error' &&
      old?.folded !== true &&
      later.some(one => one.turnId === cell.turnId && one.status === 'ok')
    );
  }

  private _tellPlaced(
    cell: DesiredCell,
    found: SnapshotCell,
    memory: CellMemory,
    back: boolean
  ): CellMemory {
    const report = placedReport(cell, found, memory.told, back);
    return this._tell(cell, memory, report);
  }

  private _tellVerdict(
    cell: DesiredCell,
    memory: CellMemory,
    verdict: 'kept' | 'edited_since' | 'deleted_by_user'
  ): CellMemory {
    const report = verdictReport(cell, memory.told, verdict);
    return this._tell(cell, memory, report);
  }

  private _tell(
    cell: DesiredCell,
    memory: CellMemory,
    report: Report | null
  ): CellMemory {
    if (!this._snapshot.writable || report === null) {
      return memory;
    }
    this._reports.push(report);
    const told = [...memory.told, { report, over: cell.verdict }];
    return { ...memory, told };
  }

  private _push(edit: Edit): void {
    if (this._snapshot.writable) {
      this._edits.push(edit);
    }
  }

  private _remember(cell: DesiredCell, memory: CellMemory): void {
    this._memory.set(cell.cellId, memory);
  }

  private readonly _memory: Map<string, CellMemory>;
  private readonly _found = new Map<string, SnapshotCell>();
  private readonly _edits: Edit[] = [];
  private readonly _reports: Report[] = [];
  private _ids: string[];
  private _line: Line | null = null;
  private _waits = false;
}
