import type { DesiredCell } from '../../src/state/cells';
import { Dice } from './dice';
import { ended, Paper, wanted } from './paper';

/** A cell of a thread's turn, made at a time. */
function made(
  name: string,
  thread: string,
  madeAt: number,
  after: string | null,
  turnId = `${thread}-turn`
): DesiredCell {
  return wanted(name, { after, madeAt, turnId }, thread);
}

/** A notebook in a page that knows some threads, each with a writer of its own. */
class Page {
  readonly paper: Paper;
  private readonly _threads = new Map<string, readonly DesiredCell[]>();

  constructor(
    ids: readonly string[],
    private readonly _complete = true
  ) {
    this.paper = new Paper(...ids);
  }

  /** A thread becomes known, or has another cell. */
  know(cells: readonly DesiredCell[]): void {
    this._threads.set(threadOf(cells[0]), cells);
  }

  /** A thread's writer looks. */
  look(thread: string, complete = this._complete): void {
    const others = [...this._threads].filter(([id]) => id !== thread);
    const cells = others.flatMap(([, theirs]) => theirs);
    const neighbours = { cells, complete };
    this.paper.look(this._threads.get(thread) ?? [], { neighbours });
  }
}

function threadOf(cell: DesiredCell): string {
  return cell.metadata.thread;
}

/** The same cells after the page was closed before the file was saved. */
function unsaved(cells: readonly DesiredCell[]): DesiredCell[] {
  return cells.map(cell => ended(cell, { placed: 'in_document' }));
}

describe('the cells of several threads that were never saved', () => {
  const one = [made('4', 'one', 4, 'df')];
  const two = [made('6', 'two', 6, '4'), made('7', 'two', 7, '6')];
  const three = [made('8', 'three', 8, '7'), made('9', 'three', 9, '8')];
  const order = ['title', 'df', '4', '6', '7', '8', '9', 'end'];

  it('stand in the order they were made if the newest thread is delivered first', () => {
    const page = new Page(['title', 'df', 'end']);
    [one, two, three].forEach(cells => page.know(unsaved(cells)));
    ['three', 'two', 'one'].forEach(thread => page.look(thread));
    expect(page.paper.ids).toEqual(order);
  });

  it('wait for the threads that are not known yet, for as long as some may be', () => {
    const page = new Page(['title', 'df', 'end'], false);
    for (const cells of [three, two, one]) {
      page.know(unsaved(cells));
      page.look(threadOf(cells[0]));
    }
    expect(page.paper.ids).toEqual(['title', 'df', '4', 'end']);
    page.look('three');
    page.look('two');
    expect(page.paper.ids).toEqual(order);
  });

  it('follow another thread’s cell that waits for the kernel as they do', () => {
    const page = new Page(['df', 'end']);
    page.know([made('y', 'another', Infinity, 'x')]);
    page.know([made('x', 'one', Infinity, 'df')]);
    ['another', 'one'].forEach(thread => page.look(thread));
    expect(page.paper.ids).toEqual(['df', 'x', 'y', 'end']);
  });

  it('do not wait behind a saved one, though what that followed is gone', () => {
    const page = new Page(['title', 'end']);
    const saved = {
      ...made('4', 'one', 4, 'gone'),
      placed: 'in_file'
    } as const;
    page.know([saved]);
    page.paper.settle([{ ...saved, placed: null }]);
    page.know([saved, made('5', 'one', 5, '4', 'next')]);
    page.look('one', false);
    expect(page.paper.ids).toEqual(['title', 'end', '4', '5']);
  });

  it('come in at the end, in the order they were made, if what they followed is never known', () => {
    const page = new Page(['title', 'df', 'end']);
    for (const cells of [three, two]) {
      page.know(unsaved(cells));
      page.look(threadOf(cells[0]));
    }
    expect(page.paper.ids).toEqual(['title', 'df', 'end', '6', '7', '8', '9']);
  });

  it('that were asked for at one time keep together', () => {
    const first = [made('x1', 'x', 1, 'df'), made('x2', 'x', 3, 'x1')];
    const second = [made('y1', 'y', 2, 'df'), made('y2', 'y', 4, 'y1')];
    const page = new Page(['df', 'end']);
    [first, second].forEach(cells => page.know(unsaved(cells)));
    ['y', 'x'].forEach(thread => page.look(thread));
    expect(page.paper.ids).toEqual(['df', 'x1', 'x2', 'y1', 'y2', 'end']);
  });
});

/** Threads that work in one notebook by turns, each cell delivered as it is made. */
class Live {
  readonly people = ['a', 'b', 'c'];
  readonly page = new Page(this.people);
  readonly threads = new Map<string, readonly DesiredCell[]>();

  constructor(
    private readonly _dice: Dice,
    /** Whether each message follows what was there when it was sent, as if none had to wait. */
    private readonly _prompt: boolean
  ) {}

  step(at: number): void {
    const thread = `thread-${this._dice.below(4)}`;
    const cells = this.threads.get(thread) ?? [];
    const last = cells.at(-1);
    const next =
      last && this._dice.below(2) > 0
        ? made(`x${at}`, thread, at, last.cellId, last.turnId)
        : made(`x${at}`, thread, at, this._anchor(), `turn-${at}`);
    this.threads.set(thread, [...cells, next]);
    this.page.know([...cells, next]);
    this.page.look(thread);
  }

  private _anchor(): string | null {
    const { ids } = this.page.paper;
    const chosen = this._dice.of([...ids, null]);
    if (!this._prompt || chosen === null) {
      return chosen;
    }
    const behind = ids.slice(ids.indexOf(chosen) + 1);
    const theirs = behind.findIndex(id => this.people.includes(id));
    const ours = theirs < 0 ? behind : behind.slice(0, theirs);
    return ours.at(-1) ?? chosen;
  }
}

describe('whatever threads and anchors there were', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => index + 1);

  it.each(seeds)(
    'cells delivered anew stand as they stood in the first tab (seed %d)',
    seed => {
      const dice = new Dice(seed);
      const live = new Live(dice, false);
      for (let at = 1; at <= 20; at++) {
        live.step(at);
      }
      const again = new Page(live.people);
      const left = [...live.threads.keys()];
      live.threads.forEach(cells => again.know(unsaved(cells)));
      while (left.length > 0) {
        const [thread] = left.splice(dice.below(left.length), 1);
        again.look(thread);
      }
      expect(again.paper.ids).toEqual(live.page.paper.ids);
    }
  );

  it.each(seeds)(
    'the same if the threads become known one by one (seed %d)',
    seed => {
      const dice = new Dice(seed);
      const live = new Live(dice, true);
      for (let at = 1; at <= 20; at++) {
        live.step(at);
      }
      const again = new Page(live.people, false);
      const known: string[] = [];
      const left = [...live.threads.keys()];
      while (left.length > 0) {
        const [thread] = left.splice(dice.below(left.length), 1);
        again.know(unsaved(live.threads.get(thread) ?? []));
        known.push(thread);
        known.forEach(one => again.look(one));
      }
      known.forEach(one => again.look(one));
      expect(again.paper.ids).toEqual(live.page.paper.ids);
    }
  );
});
