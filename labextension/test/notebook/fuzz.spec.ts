import type { Output } from '../../src/protocol/generated';
import type { DesiredCell } from '../../src/state/cells';
import { Dice } from './dice';
import { ended, Paper, wanted } from './paper';

/** A thread, a notebook and a person, each doing something at every step. */
class World {
  readonly paper = new Paper('a', 'b', 'c');
  desired: DesiredCell[] = [];
  /** Cells that the person deleted for good, and those they changed, with their text. */
  readonly deleted = new Set<string>();
  readonly edited = new Map<string, string>();
  private _made = 0;
  private _replaced = false;

  constructor(private readonly _dice: Dice) {}

  step(): void {
    this._dice.of([
      () => this._newRun(),
      () => this._output(),
      () => this._end(),
      () => this._delete(),
      () => this._edit(),
      () => this._move(),
      () => this._type(),
      () => this._duplicate(),
      () => this._save(),
      () => this._reload(),
      () => this._revert(),
      () => this._undo()
    ])();
    if (this._dice.below(3) > 0) {
      this.look();
    }
  }

  look(): void {
    const { paper } = this;
    paper.settle(this.desired, this._replaced);
    this._replaced = false;
    this._hear();
  }

  /** The server folds what it was told into the state. */
  private _hear(): void {
    for (const report of this.paper.reports.splice(0)) {
      this._change(report.runId, cell =>
        report.kind === 'placed'
          ? cell.placed === 'in_file'
            ? {}
            : { placed: report.level }
          : { verdict: report.verdict }
      );
    }
  }

  private _change(
    runId: string,
    fields: (cell: DesiredCell) => Partial<DesiredCell>
  ): void {
    this.desired = this.desired.map(cell =>
      cell.runId === runId ? { ...cell, ...fields(cell) } : cell
    );
  }

  private _newRun(): void {
    const after = this._dice.of(this.paper.ids.concat('gone'));
    const turnId = `turn-${this._dice.below(3)}`;
    const name = `x${this._made++}`;
    this.desired = [...this.desired, wanted(name, { after, turnId })];
  }

  private _output(): void {
    const cell = this._any(one => one.running);
    const text = `${cell?.outputs.length ?? 0}`;
    const output: Output = { output_type: 'stream', name: 'stdout', text };
    this._change(cell?.runId ?? '', one => ({
      outputs: [...one.outputs, output],
      executionCount: one.executionCount ?? this._made
    }));
  }

  private _end(): void {
    const cell = this._any(one => one.running);
    this._change(cell?.runId ?? '', one =>
      ended(one, { executionCount: one.executionCount ?? this._made })
    );
  }

  private _delete(): void {
    const id = this._dice.of(this.paper.ids.concat(''));
    this.paper.delete(id);
    if (this.desired.some(cell => cell.cellId === id)) {
      this.deleted.add(id);
      this.look();
    }
  }

  private _edit(): void {
    const cell = this._any(one => this.paper.ids.includes(one.cellId));
    if (cell) {
      const text = `${this.paper.get(cell.cellId).source}#`;
      this.paper.get(cell.cellId).source = text;
      this.edited.set(cell.cellId, text);
    }
  }

  private _move(): void {
    const { ids } = this.paper;
    if (ids.length > 0) {
      this.paper.move(this._dice.of(ids), this._dice.below(ids.length));
    }
  }

  private _type(): void {
    const at = this._dice.below(this.paper.ids.length + 1);
    this.paper.type(at, `mine${this._made++}`);
  }

  private _duplicate(): void {
    const { ids } = this.paper;
    if (ids.length > 0) {
      this.paper.duplicate(this._dice.of(ids), `copy${this._made++}`);
    }
  }

  private _save(): void {
    this.paper.save();
    this.look();
  }

  private _reload(): void {
    this.paper.reload();
    this._forget();
  }

  private _revert(): void {
    this.paper.revert();
    this._replaced = true;
    this._forget();
  }

  /** Unsaved texts are gone with the document; what the file holds stays deleted or not. */
  private _forget(): void {
    for (const id of [...this.edited.keys()]) {
      const there = this.paper.cells.find(cell => cell.id === id);
      if (there?.source !== this.edited.get(id)) {
        this.edited.delete(id);
      }
    }
    this.paper.ids.forEach(id => this.deleted.delete(id));
  }

  private _undo(): void {
    const cell = this._any(one => one.ended && one.verdict === null);
    this._change(cell?.runId ?? '', () => ({ verdict: 'undone' }));
  }

  private _any(test: (cell: DesiredCell) => boolean): DesiredCell | undefined {
    const fitting = this.desired.filter(test);
    return fitting.length > 0 ? this._dice.of(fitting) : undefined;
  }
}

function check(world: World, people: readonly string[]): void {
  const { ids } = world.paper;
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter(id => !/^x/.test(id))).toEqual(people);
  for (const id of world.deleted) {
    expect(ids).not.toContain(id);
  }
  for (const [id, text] of world.edited) {
    if (ids.includes(id)) {
      expect(world.paper.get(id).source).toBe(text);
    }
  }
}

describe('whatever happens', () => {
  const seeds = Array.from({ length: 150 }, (_, index) => index + 1);

  it.each(seeds)(
    'nothing of the person’s is changed and no cell comes twice (seed %d)',
    seed => {
      const world = new World(new Dice(seed));
      for (let step = 0; step < 80; step++) {
        world.step();
        const people = world.paper.ids.filter(id => !/^x/.test(id));
        world.look();
        check(world, people);
      }
    }
  );

  it.each(seeds.slice(0, 50))(
    'an untouched cell ends with what its run came to (seed %d)',
    seed => {
      const world = new World(new Dice(seed));
      for (let step = 0; step < 60; step++) {
        world.step();
      }
      world.look();
      const live = world.desired.filter(
        cell =>
          cell.ended && cell.verdict === null && cell.placed === 'in_document'
      );
      for (const cell of live) {
        expect(world.paper.get(cell.cellId)).toMatchObject({
          outputs: cell.outputs,
          count: cell.executionCount,
          running: false
        });
      }
    }
  );
});
