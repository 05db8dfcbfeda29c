import { WAITING_CLASS } from '../../src/components/run/attention';
import { Stick } from '../../src/components/transcript/stick';

/** A list of a height that shows 100 of its pixels; jsdom lays nothing out. */
class List {
  readonly node = document.createElement('div');
  height = 0;
  private _top = 0;

  constructor() {
    Object.defineProperties(this.node, {
      clientHeight: { get: () => 100 },
      scrollHeight: { get: () => this.height },
      scrollTop: {
        get: () => this._top,
        set: (top: number) => {
          this._top = Math.max(0, Math.min(top, this.height - 100));
        }
      }
    });
    this.node.getBoundingClientRect = () => ({ top: 0 }) as DOMRect;
  }

  /** Put in a question of a height, at a place. */
  ask(height: number, at: number): HTMLElement {
    const card = document.createElement('div');
    card.className = WAITING_CLASS;
    Object.defineProperty(card, 'offsetHeight', { get: () => height });
    card.getBoundingClientRect = () => ({ top: at - this._top }) as DOMRect;
    this.node.append(card);
    return card;
  }
}

function play(height: number): { list: List; stick: Stick; top: () => number } {
  const list = new List();
  const stick = new Stick(list.node);
  const top = () => list.node.scrollTop;
  list.height = height;
  stick.settle();
  return { list, stick, top };
}

/** Click on what folds and unfolds. */
function unfold(list: List, stick: Stick): void {
  const summary = document.createElement('summary');
  list.node.append(summary);
  summary.addEventListener('click', stick.unfold);
  summary.click();
}

describe('a transcript', () => {
  it('stays at the bottom while the reader is there', () => {
    const { list, stick, top } = play(500);
    expect(top()).toBe(400);
    list.height = 900;
    stick.settle();
    expect(top()).toBe(800);
    expect(stick.follows).toBe(true);
  });

  it('does not move under a reader who scrolled up', () => {
    const { list, stick, top } = play(500);
    list.node.scrollTop = 150;
    expect(stick.scrolled()).toBe(false);
    list.height = 900;
    stick.settle();
    expect(top()).toBe(150);
    expect(stick.follows).toBe(false);
  });

  it('is not left behind when its content shrinks and grows again', () => {
    const { list, stick, top } = play(900);
    list.height = 400;
    list.node.scrollTop = 300;
    list.height = 500;
    expect(stick.scrolled()).toBe(true);
    expect(top()).toBe(400);
    expect(stick.follows).toBe(true);
  });

  it.each([
    new WheelEvent('wheel'),
    new KeyboardEvent('keydown', { key: 'PageUp' })
  ])('lets the reader scroll away while it grows: %s', event => {
    const { list, stick, top } = play(500);
    stick.touch(event);
    list.height = 600;
    list.node.scrollTop = 200;
    stick.scrolled();
    stick.settle();
    expect(top()).toBe(200);
    expect(stick.follows).toBe(false);
  });

  it('follows again when the reader comes back to the bottom', () => {
    const { list, stick, top } = play(500);
    list.node.scrollTop = 150;
    stick.scrolled();
    list.node.scrollTop = 395;
    expect(stick.scrolled()).toBe(true);
    list.height = 900;
    stick.settle();
    expect(top()).toBe(800);
  });

  it('does not take its own scrolling for the reader’s', () => {
    const { list, stick, top } = play(500);
    list.height = 700;
    stick.scrolled();
    stick.settle();
    expect(top()).toBe(600);
  });

  it('shows a question that does not fit from its top', () => {
    const { list, stick, top } = play(500);
    list.height = 900;
    list.ask(300, 600);
    stick.settle();
    expect(top()).toBe(592);
  });

  it('shows one that fits whole', () => {
    const { list, stick, top } = play(500);
    list.height = 560;
    list.ask(60, 500);
    stick.settle();
    expect(top()).toBe(460);
  });

  it('shows a question whole, its answers too, when words stand below it', () => {
    const { list, stick, top } = play(500);
    list.height = 800;
    list.ask(90, 500);
    stick.settle();
    expect(top()).toBe(492);
  });

  it('goes on at the bottom when the question is answered', () => {
    const { list, stick, top } = play(500);
    list.height = 900;
    const card = list.ask(300, 600);
    stick.settle();
    stick.scrolled();
    card.remove();
    list.height = 1_000;
    stick.settle();
    expect(top()).toBe(900);
  });

  it('leaves a reader of the question where they scrolled to', () => {
    const { list, stick, top } = play(500);
    list.height = 900;
    list.ask(300, 600);
    stick.settle();
    list.node.scrollTop = 800;
    stick.scrolled();
    list.height = 920;
    stick.settle();
    expect(top()).toBe(820);
  });

  it('does not move under a reader who unfolds something at the bottom', () => {
    const { list, stick, top } = play(500);
    unfold(list, stick);
    list.height = 900;
    stick.settle();
    list.height = 950;
    stick.settle();
    expect(top()).toBe(400);
    expect(stick.follows).toBe(false);
  });

  it('goes on at the bottom once what was unfolded there is folded again', () => {
    const { list, stick, top } = play(500);
    unfold(list, stick);
    list.height = 900;
    stick.settle();
    unfold(list, stick);
    list.height = 500;
    stick.settle();
    list.height = 600;
    stick.settle();
    expect(top()).toBe(500);
  });

  it('goes to the bottom when it is asked to', () => {
    const { list, stick, top } = play(500);
    list.node.scrollTop = 10;
    stick.scrolled();
    stick.toBottom();
    expect(top()).toBe(400);
  });
});
