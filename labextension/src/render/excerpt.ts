import type { Output } from '../protocol/generated';
import { never } from '../state/never';
import { textOf } from './picture';

/** What a card leaves out between a head and a tail. */
export interface IGap {
  readonly kind: 'gap';
  readonly unit: 'lines' | 'characters' | 'outputs';
  readonly count: number;
}

/** A part of a run's outputs as its card shows them. */
export type Piece = { readonly kind: 'output'; readonly output: Output } | IGap;

const PLAIN = 'text/plain';

/** A longer text is shortened: about what fits into a card without hiding what comes after. */
const WHOLE_LINES = 20;
const WHOLE_CHARS = 4_000;

/** What is left of it; the end says more, so more of it is kept. */
const HEAD_LINES = 6;
const TAIL_LINES = 10;
const SIDE_CHARS = 1_500;

/** So many outputs are shown; of more, the first and the last. */
const WHOLE_OUTPUTS = 8;
const HEAD_OUTPUTS = 2;
const TAIL_OUTPUTS = 4;

/** The same output gives the same pieces, so that what is drawn of it stays. */
const known = new WeakMap<Output, readonly Piece[]>();

/** Head and tail of what a run put out, with what was left out between. */
export function headAndTail(outputs: readonly Output[]): readonly Piece[] {
  if (outputs.length <= WHOLE_OUTPUTS) {
    return outputs.flatMap(piecesOf);
  }
  const count = outputs.length - HEAD_OUTPUTS - TAIL_OUTPUTS;
  return [
    ...outputs.slice(0, HEAD_OUTPUTS).flatMap(piecesOf),
    { kind: 'gap', unit: 'outputs', count },
    ...outputs.slice(-TAIL_OUTPUTS).flatMap(piecesOf)
  ];
}

/** Whether an output is words alone. */
export function isText(output: Output): boolean {
  return textIn(output) !== null;
}

function piecesOf(output: Output): readonly Piece[] {
  const pieces = known.get(output) ?? cutOutput(output);
  known.set(output, pieces);
  return pieces;
}

function cutOutput(output: Output): readonly Piece[] {
  const text = textIn(output);
  const cut = text === null ? null : cutText(text);
  return cut === null
    ? [{ kind: 'output', output }]
    : [
        { kind: 'output', output: withText(output, cut.head) },
        cut.gap,
        { kind: 'output', output: withText(output, cut.tail) }
      ];
}

function textIn(output: Output): string | null {
  switch (output.output_type) {
    case 'stream':
      return output.text;
    case 'error':
      return output.traceback.join('\n');
    case 'display_data':
    case 'execute_result': {
      const others = Object.keys(output.data).filter(one => one !== PLAIN);
      return others.length > 0 ? null : textOf(output.data[PLAIN]);
    }
    case 'blob':
      return null;
    default:
      return never(output);
  }
}

function withText(output: Output, text: string): Output {
  switch (output.output_type) {
    case 'stream':
      return { ...output, text };
    case 'error':
      return { ...output, traceback: [text] };
    case 'display_data':
    case 'execute_result':
      return { ...output, data: { [PLAIN]: text } };
    case 'blob':
      return output;
    default:
      return never(output);
  }
}

/** Head, gap and tail of a text; null if it is short. */
function cutText(
  text: string
): { head: string; gap: IGap; tail: string } | null {
  const lines = text.replace(/\n$/, '').split('\n').map(lastWritten);
  if (lines.length > WHOLE_LINES) {
    const count = lines.length - HEAD_LINES - TAIL_LINES;
    return {
      head: clipEnd(lines.slice(0, HEAD_LINES).join('\n')),
      gap: { kind: 'gap', unit: 'lines', count },
      tail: clipStart(lines.slice(-TAIL_LINES).join('\n'))
    };
  }
  const whole = lines.join('\n');
  if (whole.length <= WHOLE_CHARS) {
    return null;
  }
  const count = whole.length - 2 * SIDE_CHARS;
  return {
    head: whole.slice(0, SIDE_CHARS),
    gap: { kind: 'gap', unit: 'characters', count },
    tail: whole.slice(-SIDE_CHARS)
  };
}

/** A line that was written over and over, as a progress bar is, reads as it was written last. */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function clipEnd(text: string): string {
  return text.length > SIDE_CHARS ? `${text.slice(0, SIDE_CHARS)} …` : text;
}

function clipStart(text: string): string {
  return text.length > SIDE_CHARS ? `… ${text.slice(-SIDE_CHARS)}` : text;
}
