import { asInCell, stepsBetween } from '../../src/notebook/outputs';
import type { WholeOutput } from '../../src/render/nbformat';

function out(text: string, name: 'stdout' | 'stderr' = 'stdout'): WholeOutput {
  return { output_type: 'stream', name, text };
}

function show(text: string): WholeOutput {
  const data = { 'text/plain': text };
  return { output_type: 'display_data', data, metadata: {}, display_id: null };
}

const kinds = (steps: ReturnType<typeof stepsBetween>): string[] =>
  steps.map(step => step.kind);

describe('outputs in a cell', () => {
  it('hold streams that follow each other as one', () => {
    expect(asInCell([out('a'), out('b'), out('c', 'stderr')], null)).toEqual([
      out('ab'),
      out('c', 'stderr')
    ]);
  });

  it('say at the end what was left out', () => {
    expect(asInCell([out('a')], 'Cut at 200 kB.')).toEqual([
      out('a'),
      out('Cut at 200 kB.\n', 'stderr')
    ]);
  });
});

describe('the steps between two lists', () => {
  const plot = show('plot');

  it('are none if nothing changed', () => {
    expect(stepsBetween([out('a'), plot], [out('a'), plot])).toEqual([]);
    expect(stepsBetween([], [])).toEqual([]);
  });

  it('add text to the last stream as one string', () => {
    expect(stepsBetween([plot, out('a')], [plot, out('abc')])).toEqual([
      { kind: 'append', name: 'stdout', text: 'bc' }
    ]);
  });

  it('add what is new after that', () => {
    const steps = stepsBetween([out('a')], [out('ab'), plot]);
    expect(kinds(steps)).toEqual(['append', 'add']);
  });

  it('set a display that was updated', () => {
    const next = show('other');
    expect(stepsBetween([plot, out('a')], [next, out('a')])).toEqual([
      { kind: 'set', index: 0, output: next }
    ]);
  });

  it.each([
    ['a stream that is not the last grew', [out('a'), plot], [out('ab'), plot]],
    ['a stream is another text', [out('abc')], [out('x')]],
    ['a stream became a display', [out('a')], [plot]],
    ['there are fewer', [out('a'), plot], [out('a')]]
  ])('write all afresh if %s', (_, written, next) => {
    expect(stepsBetween(written, next)).toEqual([
      { kind: 'all', outputs: next }
    ]);
  });

  it('clear what is gone', () => {
    expect(stepsBetween([plot], [])).toEqual([{ kind: 'clear' }]);
  });
});
