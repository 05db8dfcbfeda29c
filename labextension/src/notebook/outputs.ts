import type { WholeOutput } from '../render/nbformat';

/**
 * One step that brings a cell's outputs from what was written to what there is.
 */
export type OutputStep =
  | {
      readonly kind: 'append';
      readonly name: 'stdout' | 'stderr';
      readonly text: string;
    }
  | { readonly kind: 'add'; readonly output: WholeOutput }
  | {
      readonly kind: 'set';
      readonly index: number;
      readonly output: WholeOutput;
    }
  | { readonly kind: 'clear' }
  | { readonly kind: 'all'; readonly outputs: readonly WholeOutput[] };

/**
 * The outputs as a cell holds them: streams that follow each other are one, and what was left out
 * is said at the end.
 */
export function asInCell(
  outputs: readonly WholeOutput[],
  truncated: string | null
): readonly WholeOutput[] {
  const all: WholeOutput[] = [];
  for (const output of outputs) {
    push(all, output);
  }
  if (truncated !== null) {
    const text = `${truncated}\n`;
    push(all, { output_type: 'stream', name: 'stderr', text });
  }
  return all;
}

function push(all: WholeOutput[], output: WholeOutput): void {
  const last = all.at(-1);
  if (
    last?.output_type === 'stream' &&
    output.output_type === 'stream' &&
    last.name === output.name
  ) {
    all[all.length - 1] = { ...last, text: last.text + output.text };
  } else {
    all.push(output);
  }
}

/**
 * The steps from one list to the next. A stream is only ever added to, never set; whatever else
 * changed in place is written afresh.
 */
export function stepsBetween(
  written: readonly WholeOutput[],
  next: readonly WholeOutput[]
): readonly OutputStep[] {
  if (next.length === 0) {
    return written.length === 0 ? [] : [{ kind: 'clear' }];
  }
  if (next.length < written.length) {
    return [{ kind: 'all', outputs: next }];
  }
  const steps: OutputStep[] = [];
  for (const [index, output] of next.entries()) {
    const step = stepFor(written, index, output);
    if (step === 'all') {
      return [{ kind: 'all', outputs: next }];
    }
    if (step) {
      steps.push(step);
    }
  }
  return steps;
}

function stepFor(
  written: readonly WholeOutput[],
  index: number,
  output: WholeOutput
): OutputStep | 'all' | null {
  const old = written[index] as WholeOutput | undefined;
  if (old === undefined) {
    return { kind: 'add', output };
  }
  if (old.output_type === 'stream' && output.output_type === 'stream') {
    const added = grown(old.text, output.text);
    const { name } = output;
    if (old.name !== name || added === null) {
      return 'all';
    }
    if (added === '') {
      return null;
    }
    const isLast = index === written.length - 1;
    return isLast ? { kind: 'append', name, text: added } : 'all';
  }
  if (old.output_type === 'stream' || output.output_type === 'stream') {
    return 'all';
  }
  return old === output ? null : { kind: 'set', index, output };
}

function grown(old: string, text: string): string | null {
  return text.startsWith(old) ? text.slice(old.length) : null;
}

/**
 * How many characters of text the outputs hold, which is what drawing them costs.
 */
export function charsOf(outputs: readonly WholeOutput[]): number {
  return outputs.reduce(
    (sum, output) =>
      sum + (output.output_type === 'stream' ? output.text.length : 0),
    0
  );
}
