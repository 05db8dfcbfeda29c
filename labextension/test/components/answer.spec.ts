import { AnswerDrawer } from '../../src/components/transcript/drawer';
import { until } from '../support/until';

/** Draws each line as a paragraph, when the test lets it. */
class Lines {
  readonly asked: string[] = [];
  readonly typesetBlocks: string[] = [];
  private _go: (() => void)[] = [];

  async render(text: string): Promise<DocumentFragment> {
    this.asked.push(text);
    await new Promise<void>(resolve => this._go.push(resolve));
    if (text === 'broken') {
      throw new Error('The parser broke.');
    }
    const fragment = document.createDocumentFragment();
    for (const line of text.split('\n')) {
      const block = document.createElement('p');
      block.textContent = line;
      fragment.append(block);
    }
    return fragment;
  }

  typeset(block: Element): void {
    this.typesetBlocks.push(block.textContent ?? '');
  }

  go(): void {
    this._go.splice(0).forEach(resolve => resolve());
  }
}

function play() {
  const host = document.createElement('div');
  const lines = new Lines();
  const drawer = new AnswerDrawer(host, lines);
  const draw = async (text: string, shown = text) => {
    drawer.draw(text);
    lines.go();
    await until(
      () =>
        [...host.childNodes].map(node => node.textContent).join('\n') === shown,
      `${shown} is drawn`
    );
  };
  return { host, lines, drawer, draw };
}

describe('an answer that streams in', () => {
  it('keeps the blocks that are drawn already', async () => {
    const { host, lines, draw } = play();
    await draw('one\ntw');
    const first = host.children[0];
    await draw('one\ntwo\nthree');
    expect(host.children[0]).toBe(first);
    expect(lines.typesetBlocks).toEqual(['one', 'tw', 'two', 'three']);
  });

  it('is drawn one drawing at a time, and at last the newest', async () => {
    const { host, lines, drawer } = play();
    for (const text of ['a', 'ab', 'abc']) {
      drawer.draw(text);
    }
    expect(lines.asked).toEqual(['a']);
    lines.go();
    await until(() => lines.asked.length === 2, 'the newest is asked for');
    lines.go();
    await until(() => host.textContent === 'abc', 'the newest is drawn');
    expect(lines.asked).toEqual(['a', 'abc']);
  });

  it('is plain text when it can not be drawn, and says so to the console', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation();
    const { draw } = play();
    await draw('broken');
    expect(warned).toHaveBeenCalledTimes(1);
    await draw('mended');
  });
});
