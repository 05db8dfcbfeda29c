import { OutputAreaModel } from '@jupyterlab/outputarea';

import {
  follow,
  toNotebook,
  type WholeOutput
} from '../../src/render/nbformat';
import { asShown } from '../../src/render/picture';

const stream = (
  text: string,
  name: 'stdout' | 'stderr' = 'stdout'
): WholeOutput => ({
  output_type: 'stream',
  name,
  text
});
const display = (text: string): WholeOutput => ({
  output_type: 'display_data',
  data: { 'text/plain': text },
  metadata: {},
  display_id: 'd'
});

/** Show one list after the other; what the area holds in the end, and how often it was reset. */
function show(...lists: WholeOutput[][]) {
  const model = new OutputAreaModel();
  const reset = jest.spyOn(model, 'fromJSON');
  lists.reduce<WholeOutput[]>((shown, next) => {
    follow(model, shown, next);
    return next;
  }, []);
  return { outputs: model.toJSON(), resets: reset.mock.calls.length };
}

describe('an area that follows a list of outputs', () => {
  it('adds what is new and resets nothing', () => {
    const [a, b] = [display('a'), stream('b')];
    expect(show([a], [a, b])).toEqual({
      outputs: [a, b].map(toNotebook),
      resets: 0
    });
  });

  it('adds text to the last stream', () => {
    const a = display('a');
    const seen = show([a, stream('1')], [a, stream('12')], [a, stream('123')]);
    expect(seen).toEqual({
      outputs: [a, stream('123')].map(toNotebook),
      resets: 0
    });
  });

  it('adds text and what follows it at once', () => {
    const more = [stream('12'), display('b')];
    expect(show([stream('1')], more)).toEqual({
      outputs: more.map(toNotebook),
      resets: 0
    });
  });

  it.each([
    [
      'a display was updated',
      [display('a'), stream('1')],
      [display('b'), stream('1')]
    ],
    ['all is cleared', [display('a')], []],
    ['a stream was cut', [stream('123')], [stream('1 … 3')]],
    [
      'text came to a stream that is not the last',
      [stream('1'), display('a')],
      [stream('12'), display('a')]
    ]
  ])('is written afresh when %s', (_, before, after) => {
    expect(show(before, after)).toEqual({
      outputs: after.map(toNotebook),
      resets: 1
    });
  });
});

describe('an output as a notebook says it', () => {
  it('leaves out what is only ours', () => {
    expect(toNotebook(display('a'))).toEqual({
      output_type: 'display_data',
      data: { 'text/plain': 'a' },
      metadata: {}
    });
  });
});

describe('an output as the panel draws it', () => {
  const svg = {
    ...display('x'),
    data: {
      'image/svg+xml': '<svg><title>a "b"</title></svg>',
      'text/plain': 'x'
    }
  } as WholeOutput;

  it('shows SVG as a picture, which runs and loads nothing', () => {
    const shown = asShown(svg) as { data: Record<string, string> };
    const host = document.implementation.createHTMLDocument().body;
    host.innerHTML = shown.data['text/html'];
    const [picture, ...others] = host.children;
    expect(others).toEqual([]);
    expect(picture.tagName).toBe('IMG');
    expect(picture.getAttribute('alt')).toBe('a "b"');
    expect(picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml,%3C/);
  });

  it('is the same object each time, so that nothing is drawn again', () => {
    expect(asShown(svg)).toBe(asShown(svg));
  });

  it('is left alone if there is something else to draw', () => {
    const both = {
      ...svg,
      data: { 'image/svg+xml': '<svg/>', 'image/png': 'a' }
    } as WholeOutput;
    expect(asShown(both)).toBe(both);
  });
});
