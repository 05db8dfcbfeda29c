import { Line } from '../../src/notebook/line';
import { placeOf } from '../../src/notebook/place';
import type { DesiredCell } from '../../src/state/cells';
import { Paper, wanted } from './paper';

describe('the place of a cell', () => {
  it('is after the one before it, for several at once', () => {
    const paper = new Paper('a', 'b');
    paper.settle([
      wanted('x', { after: 'a' }),
      wanted('y', { after: 'x' }),
      wanted('z', { after: 'y' })
    ]);
    expect(paper.ids).toEqual(['a', 'x', 'y', 'z', 'b']);
  });

  it('is after the turn’s last cell if the one it follows is gone', () => {
    const paper = new Paper('a', 'b');
    const [x, y] = [wanted('x', { after: 'a' }), wanted('y', { after: 'x' })];
    paper.settle([x, y]);
    paper.delete('y');
    paper.settle([x, y, wanted('z', { after: 'y' })]);
    expect(paper.ids).toEqual(['a', 'x', 'z', 'b']);
  });

  it('is where the missing cells before it were', () => {
    const paper = new Paper('a', 'b');
    const x = wanted('x', { after: 'a' });
    paper.settle([x]);
    paper.delete('x');
    paper.settle([x, wanted('y', { after: 'x' })]);
    expect(paper.ids).toEqual(['a', 'y', 'b']);
  });

  it('is after the heir of an attempt that it followed', () => {
    const paper = new Paper('a', 'b');
    const heir = wanted('good', { after: 'a', supersedes: ['bad'] });
    const next = wanted('y', { after: 'good', turnId: 'next' });
    paper.settle([heir]);
    paper.settle([heir, next]);
    expect(paper.ids).toEqual(['a', 'good', 'y', 'b']);
  });

  it('is before a later cell of its turn that is there already', () => {
    const paper = new Paper('a');
    const later = wanted('y', { after: 'gone' });
    paper.settle([later]);
    paper.type(2, 'b');
    paper.settle([wanted('x', { after: 'gone' }), later]);
    expect(paper.ids).toEqual(['a', 'x', 'y', 'b']);
  });

  it('is the end if nothing it knows of is there', () => {
    const paper = new Paper('a', 'b');
    paper.settle([wanted('x', { after: 'gone' }), wanted('y')]);
    expect(paper.ids).toEqual(['a', 'b', 'x', 'y']);
  });

  it('of a queued turn is after the cells that the turn before it has made since', () => {
    const paper = new Paper('mine', 'b');
    const first = [
      wanted('x1', { after: 'mine', turnId: 'one' }),
      wanted('x2', { after: 'x1', turnId: 'one' })
    ];
    const queued = [
      wanted('y1', { after: 'mine', turnId: 'two' }),
      wanted('y2', { after: 'y1', turnId: 'two' })
    ];
    paper.settle(first);
    paper.settle([...first, ...queued]);
    expect(paper.ids).toEqual(['mine', 'x1', 'x2', 'y1', 'y2', 'b']);
  });

  it('of a queued turn is after the cells made since, also if the one it follows is gone', () => {
    const paper = new Paper('mine', 'b');
    const x1 = wanted('x1', { after: 'mine', turnId: 'one' });
    const x2 = wanted('x2', { after: 'x1', turnId: 'one' });
    paper.settle([x1, x2]);
    paper.delete('x1');
    paper.settle([x1, x2, wanted('y', { after: 'x1', turnId: 'two' })]);
    expect(paper.ids).toEqual(['mine', 'x2', 'y', 'b']);
  });

  it('of a queued turn is after an attempt that the person kept from its repair', () => {
    const paper = new Paper('mine', 'b');
    const bad = wanted('bad', { after: 'mine', turnId: 'one' });
    paper.settle([bad]);
    paper.get('bad').source = 'theirs';
    const good = wanted('good', {
      after: 'mine',
      turnId: 'one',
      replaces: 'bad',
      supersedes: ['bad']
    });
    paper.settle([good]);
    paper.settle([good, wanted('y', { after: 'mine', turnId: 'two' })]);
    expect(paper.ids).toEqual(['mine', 'bad', 'good', 'y', 'b']);
  });

  it('is before later cells that are there already', () => {
    const paper = new Paper('mine', 'b');
    const later = wanted('y', { after: 'x', turnId: 'two' });
    paper.settle([later]);
    paper.move('y', 1);
    paper.settle([wanted('x', { after: 'mine', turnId: 'one' }), later]);
    expect(paper.ids).toEqual(['mine', 'x', 'y', 'b']);
  });

  describe('beside the cells of another thread', () => {
    let paper: Paper;
    const others = new Set(['z1', 'z2']);
    const first = wanted('x1', { after: 'mine' });
    const place = (cell: DesiredCell, ids: string[]) =>
      placeOf(cell, [first, cell], ids, new Line(ids, [first, cell], others));

    beforeEach(() => {
      paper = new Paper('mine', 'b');
    });

    /** Another thread puts its cells in. */
    function another(...cells: DesiredCell[]): void {
      const memory = paper.memory;
      paper.memory = new Map();
      paper.settle(
        cells.map(cell => ({
          ...cell,
          metadata: { ...cell.metadata, thread: 'another' }
        }))
      );
      paper.memory = memory;
    }

    it('is after those that came since its message was sent', () => {
      another(wanted('z1', { after: 'mine' }), wanted('z2', { after: 'z1' }));
      paper.settle([first]);
      expect(paper.ids).toEqual(['mine', 'z1', 'z2', 'x1', 'b']);
    });

    it('is beside its own turn', () => {
      paper.settle([first]);
      another(wanted('z1', { after: 'x1' }));
      paper.settle([first, wanted('x2', { after: 'x1' })]);
      expect(paper.ids).toEqual(['mine', 'x1', 'x2', 'z1', 'b']);
    });

    it('is where it was when it comes in again', () => {
      const again = wanted('x2', { after: 'mine', placed: 'in_document' });
      expect(place(again, ['mine', 'z1', 'b'])).toBe(1);
    });
  });

  it('is found even if cells follow each other in a circle', () => {
    const paper = new Paper('a');
    const x = wanted('x', { after: 'y', turnId: 'one' });
    const y = wanted('y', { after: 'x', placed: 'in_file' });
    paper.settle([x, y]);
    expect(paper.ids).toEqual(['a', 'x']);
  });
});
