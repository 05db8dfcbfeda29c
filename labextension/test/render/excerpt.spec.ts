import type { Output, StreamOutput } from '../../src/protocol/generated';
import { headAndTail, isText, type Piece } from '../../src/render/excerpt';
import { textOf } from '../../src/render/picture';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`).join(
    '\n'
  );
const printed = (text: string): StreamOutput => ({
  output_type: 'stream',
  name: 'stdout',
  text
});
const figure: Output = {
  output_type: 'display_data',
  data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure>' },
  metadata: {},
  display_id: null
};

function said(piece: Piece | undefined): string {
  if (piece?.kind === 'gap') {
    return `${piece.count} ${piece.unit}`;
  }
  const output = piece?.output;
  switch (output?.output_type) {
    case 'stream':
      return output.text;
    case 'error':
      return output.traceback.join('\n');
    case 'execute_result':
      return textOf(output.data['text/plain']) ?? '';
    default:
      return output?.output_type ?? '';
  }
}

const shown = (...outputs: Output[]) => headAndTail(outputs).map(said);

describe('the outputs of a run in its card', () => {
  it('are whole as long as they are short', () => {
    const output = printed(`${lines(1, 20)}\n`);
    expect(headAndTail([output, figure])).toEqual([
      { kind: 'output', output },
      { kind: 'output', output: figure }
    ]);
  });

  it('show the end of a long text, and how much is left out before it', () => {
    expect(shown(printed(`${lines(1, 2_000)}\n`))).toEqual([
      lines(1, 6),
      '1984 lines',
      lines(1_991, 2_000)
    ]);
  });

  it('show the end of a long traceback, where the error is', () => {
    const traceback = [lines(1, 40), 'KeyError: 7'];
    const error = { ename: 'KeyError', evalue: '7', traceback };
    expect(shown({ output_type: 'error', ...error }).at(-1)).toMatch(
      /KeyError: 7$/
    );
  });

  it('show the end of a long value', () => {
    const text = lines(1, 100);
    const value: Output = {
      ...figure,
      output_type: 'execute_result',
      execution_count: 1,
      data: { 'text/plain': text }
    };
    expect(shown(value).at(-1)).toBe(lines(91, 100));
  });

  it('show head and tail of one line that has no end', () => {
    const [head, gap, tail] = shown(printed(`${'a'.repeat(9_000)}z`));
    expect([head.length, gap, tail.length]).toEqual([
      1_500,
      '6001 characters',
      1_500
    ]);
    expect(tail.endsWith('z')).toBe(true);
  });

  it('take a progress bar for the one line that it is', () => {
    const bar = Array.from({ length: 500 }, (_, at) => `${at} of 499 |###`);
    expect(headAndTail([printed(bar.join('\r'))])).toHaveLength(1);
    const loud = printed(`${lines(1, 40)}\n${bar.join('\r')}\r\n`);
    expect(shown(loud).at(-1)).toMatch(/line 40\n499 of 499 \|###$/);
  });

  it('show the first and the last of many', () => {
    const many = Array.from({ length: 30 }, () => ({ ...figure }));
    expect(shown(...many)).toEqual([
      'display_data',
      'display_data',
      '24 outputs',
      ...Array.from({ length: 4 }, () => 'display_data')
    ]);
  });

  it('stay the same pieces as long as an output is the same', () => {
    const output = printed(lines(1, 50));
    expect(headAndTail([output])[2]).toBe(headAndTail([output])[2]);
    expect([isText(output), isText(figure)]).toEqual([true, false]);
  });
});
