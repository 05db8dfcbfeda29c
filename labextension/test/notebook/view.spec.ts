import { Widget } from '@lumino/widgets';

import { LIMITS } from '../../src/notebook/limits';
import { isInView, reveal } from '../../src/notebook/view';
import { NotebookWriter } from '../../src/notebook/writer';
import { until } from '../support/until';
import { Desk, ignoreYjs } from './desk';
import { FakeThread } from './fakeThread';

const FRAME = 100;

describe('bringing a cell into view', () => {
  ignoreYjs();
  let desk: Desk;
  /** The cells that were scrolled to, in order. */
  let scrolled: string[];
  /** Where cells stand; those not named stand at the top. */
  let tops: Record<string, number>;

  beforeEach(async () => {
    desk = await Desk.open('view.ipynb');
    Widget.attach(desk.panel, document.body);
    desk.panel.content.notebookConfig = {
      ...desk.panel.content.notebookConfig,
      windowingMode: 'none'
    };
    [scrolled, tops] = [[], {}];
    const original = HTMLElement.prototype.getBoundingClientRect;
    jest
      .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
      .mockImplementation(function (this: HTMLElement) {
        const id = idOf(this);
        const frame = this === desk.panel.content.outerNode;
        return frame
          ? rect(0, FRAME)
          : id === undefined
            ? original.call(this)
            : rect(tops[id] ?? 0, 10);
      });
    HTMLElement.prototype.scrollIntoView = function (this: HTMLElement) {
      scrolled.push(idOf(this) ?? '?');
    };
  });

  afterEach(() => {
    desk.close();
    jest.restoreAllMocks();
  });

  function rect(top: number, height: number): DOMRect {
    const at = { x: 0, y: top, left: 0, right: 100, width: 100 };
    const bottom = top + height;
    return { ...at, top, height, bottom, toJSON: () => at };
  }

  function idOf(node: HTMLElement): string | undefined {
    const { widgets } = desk.panel.content;
    return widgets.find(cell => cell.node === node)?.model.id;
  }

  /** Wait until whatever wants to scroll has had its tries. */
  async function tried(): Promise<void> {
    const frames = LIMITS.revealTries * LIMITS.revealFrames + 4;
    for (let frame = 0; frame < frames; frame++) {
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
  }

  it('is tried again while the cell grows', async () => {
    tops.c = 500;
    reveal(desk.panel, 'c');
    await tried();
    expect(scrolled).toEqual(Array(LIMITS.revealTries).fill('c'));
  });

  it.each(['wheel', 'touchmove', 'pointerdown', 'keydown'])(
    'ends when the person goes elsewhere (%s)',
    async way => {
      tops.c = 500;
      reveal(desk.panel, 'c');
      await until(() => scrolled.length === 1, 'it is brought into view');
      desk.panel.content.widgets[0].node.dispatchEvent(
        new Event(way, { bubbles: true })
      );
      await tried();
      expect(scrolled).toEqual(['c']);
    }
  );

  it('ends when another cell is brought into view', async () => {
    Object.assign(tops, { b: 300, c: 500 });
    reveal(desk.panel, 'b');
    reveal(desk.panel, 'c');
    await tried();
    expect(scrolled).not.toContain('b');
  });

  it('knows what is before the person’s eyes', () => {
    tops.c = 500;
    expect(isInView(desk.panel, 'a')).toBe(true);
    expect(isInView(desk.panel, 'c')).toBe(false);
    desk.panel.hide();
    expect(isInView(desk.panel, 'a')).toBe(false);
  });

  describe('of a run', () => {
    let thread: FakeThread;
    let writer: NotebookWriter;

    beforeEach(() => {
      thread = new FakeThread('view.ipynb');
      writer = new NotebookWriter({
        thread,
        tracker: desk.tracker,
        contents: desk.manager.contents,
        fetchBlob: () => Promise.reject(new Error('not played')),
        following: () => true
      });
    });

    afterEach(() => writer.dispose());

    async function put(): Promise<void> {
      thread.run('x', 'x = 1', 'c');
      await until(() => desk.ids.includes('x'), 'x is there');
    }

    async function end(): Promise<void> {
      thread.end('x', 1);
      const mark = () =>
        desk.cell('x').getMetadata('cave_lab') as { status?: string };
      await until(() => mark().status === 'ok', 'x has ended');
    }

    it('happens to a new cell', async () => {
      tops.x = 500;
      await put();
      await tried();
      expect(scrolled).toContain('x');
    });

    it('does not happen while the person types in the notebook', async () => {
      tops.x = 500;
      const field = document.createElement('input');
      desk.panel.content.widgets[0].node.append(field);
      field.focus();
      await put();
      await end();
      await tried();
      expect(scrolled).toEqual([]);
      expect(document.activeElement).toBe(field);
    });

    it('does not happen at its end if the person has scrolled away', async () => {
      await put();
      await tried();
      tops.x = 500;
      await end();
      await tried();
      expect(scrolled).toEqual([]);
    });
  });
});
