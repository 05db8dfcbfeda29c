import type { Neighbours } from '../../src/notebook/line';
import { release, type WriterMemory, wrote } from '../../src/notebook/memory';
import type { Edit, Report, SnapshotCell } from '../../src/notebook/plan';
import { type CellMark } from '../../src/notebook/provenance';
import { reconcile } from '../../src/notebook/reconcile';
import { sha256 } from '../../src/notebook/sha256';
import type { DesiredCell } from '../../src/state/cells';

/** A cell that the journal wants, ended well unless told otherwise. */
export function wanted(
  name: string,
  fields: Partial<DesiredCell> = {},
  thread = 'thread'
): DesiredCell {
  const code = fields.code ?? `${name} = 1`;
  const cell = {
    runId: `run-${name}`,
    cellId: name,
    turnId: 'turn',
    notebook: null,
    code,
    outputs: [],
    truncated: null,
    executionCount: null,
    madeAt: null,
    running: true,
    ended: false,
    status: null,
    after: null,
    replaces: null,
    supersedes: [],
    placed: null,
    verdict: null,
    trusted: true,
    ...fields
  };
  const metadata = {
    thread,
    turn: cell.turnId,
    run: cell.runId,
    cell_id: name,
    model: 'fake',
    sha256: sha256(code),
    approved_by: 'person',
    reviewed: cell.verdict === 'kept'
  };
  return { ...cell, metadata };
}

/** The same cell after its run ended. */
export function ended(
  cell: DesiredCell,
  fields: Partial<DesiredCell> = {}
): DesiredCell {
  return {
    ...cell,
    running: false,
    ended: true,
    status: 'ok',
    executionCount: cell.executionCount ?? 1,
    ...fields
  };
}

interface PaperCell {
  id: string;
  type: string;
  source: string;
  mark: CellMark | null;
  count: number | null;
  running: boolean;
  outputs: readonly unknown[];
  personRan: boolean;
  folded: boolean;
}

/** A notebook on paper: what a person does to it, and what a writer does. */
export class Paper {
  /** Whether its models say which cell shows `[*]`, as JupyterLab's do since 4.3. */
  saysWhatRuns = true;
  cells: PaperCell[] = [];
  file: PaperCell[] = [];
  minor = 5;
  memory: WriterMemory = new Map();
  edits: readonly Edit[] = [];
  /** All that the server was told, in order. */
  readonly reports: Report[] = [];

  constructor(...ids: string[]) {
    ids.forEach((id, index) => this.type(index, id));
    this.save();
  }

  get ids(): string[] {
    return this.cells.map(cell => cell.id);
  }

  get(id: string): PaperCell {
    const cell = this.cells.find(one => one.id === id);
    if (!cell) {
      throw new Error(`There is no cell ${id}`);
    }
    return cell;
  }

  /** The person adds a cell. */
  type(index: number, id: string): void {
    this.cells.splice(index, 0, {
      id,
      type: 'code',
      source: `${id} by hand`,
      mark: null,
      count: null,
      running: false,
      outputs: [],
      personRan: false,
      folded: false
    });
  }

  delete(id: string): void {
    this.cells = this.cells.filter(cell => cell.id !== id);
  }

  /** The person runs a cell in the kernel. */
  run(id: string, count: number): void {
    Object.assign(this.get(id), {
      count,
      personRan: true,
      outputs: ['theirs']
    });
  }

  clearOutputs(id: string): void {
    Object.assign(this.get(id), { count: null, outputs: [] });
  }

  changeType(id: string, type: string): void {
    Object.assign(this.get(id), {
      type,
      count: null,
      outputs: [],
      running: false
    });
  }

  move(id: string, index: number): void {
    const cell = { ...this.get(id) };
    this.delete(id);
    this.cells.splice(index, 0, cell);
  }

  /** A copy has everything but the id. */
  duplicate(id: string, copyId: string): void {
    const at = this.ids.indexOf(id);
    this.cells.splice(at + 1, 0, { ...this.get(id), id: copyId });
  }

  /** The second half keeps the id. */
  split(id: string, firstId: string, at: number): void {
    const whole = this.get(id);
    const first = { ...whole, id: firstId, source: whole.source.slice(0, at) };
    this.cells.splice(this.ids.indexOf(id), 0, first);
    whole.source = whole.source.slice(at);
  }

  /** Both halves go; the new cell takes the mark of the first. */
  merge(first: string, second: string, id: string): void {
    const [a, b] = [this.get(first), this.get(second)];
    const source = `${a.source}\n${b.source}`;
    this.cells.splice(this.ids.indexOf(first), 0, { ...a, id, source });
    this.delete(first);
    this.delete(second);
  }

  save(): void {
    this.file = this.cells.map(cell => ({ ...cell }));
  }

  /** Read the file again, in the page that is open. */
  revert(): void {
    this.cells = this.file.map(cell => ({
      ...cell,
      running: false,
      personRan: false
    }));
  }

  /** Reload the page: the file is read and the writer knows nothing. */
  reload(): void {
    this.revert();
    this.memory = new Map();
  }

  /** One look of the writer's at the document, with its edits made. */
  look(
    desired: readonly DesiredCell[],
    options: {
      replaced?: boolean;
      writable?: boolean;
      neighbours?: Neighbours;
    } = {}
  ): void {
    const { edits, reports, memory } = reconcile(
      desired,
      {
        cells: this.cells.map(cell => this._snapshot(cell)),
        replaced: options.replaced ?? false,
        nbformatMinor: this.minor,
        writable: options.writable ?? true
      },
      this.memory,
      options.neighbours
    );
    this.memory = memory;
    this.edits = edits;
    this.reports.push(...reports);
    edits.forEach(edit => this._apply(edit));
  }

  /** Look until nothing is left to do. */
  settle(desired: readonly DesiredCell[], replaced = false): void {
    this.look(desired, { replaced });
    for (let looks = 0; this.edits.length > 0; looks++) {
      if (looks > 5) {
        throw new Error(`It never ends: ${JSON.stringify(this.edits)}`);
      }
      this.look(desired);
    }
  }

  private _snapshot(cell: PaperCell): SnapshotCell {
    return {
      id: cell.id,
      type: cell.type,
      mark: cell.mark,
      source: cell.mark ? cell.source : null,
      executionCount: cell.count,
      running: this.saysWhatRuns ? cell.running : null,
      inFile: this.file.some(saved => saved.id === cell.id),
      personRan: cell.personRan
    };
  }

  private _apply(edit: Edit): void {
    switch (edit.kind) {
      case 'upgrade_minor':
        this.minor = 5;
        return;
      case 'insert': {
        const { cell, index, mark } = edit;
        this.type(index, cell.cellId);
        const { executionCount: count, code: source } = cell;
        Object.assign(this.get(cell.cellId), { count, source, mark });
        edit.replaces.forEach(id => this.delete(id));
        return;
      }
      case 'remove':
        this.delete(edit.cellId);
        return;
      case 'outputs':
        this._write(edit.cell);
        return;
      case 'count':
        this.get(edit.cellId).count = edit.count;
        return;
      case 'state':
        this.get(edit.cellId).running = edit.running;
        return;
      case 'mark':
        this.get(edit.cellId).mark = edit.mark;
        this.get(edit.cellId).folded ||= edit.fold;
    }
  }

  private _write(cell: DesiredCell): void {
    this.get(cell.cellId).outputs = cell.outputs;
    this.memory = wrote(this.memory, cell);
  }

  /** What the writer remembers when it finds outputs that it did not write. */
  release(id: string): void {
    this.memory = release(this.memory, id);
  }
}

/** What the server was told of a cell's run, in order. */
export function told(paper: Paper, cell: DesiredCell): string[] {
  return paper.reports
    .filter(report => report.runId === cell.runId)
    .map(report => (report.kind === 'placed' ? report.level : report.verdict));
}
