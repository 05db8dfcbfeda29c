import type * as nbformat from '@jupyterlab/nbformat';
import type { IOutputAreaModel } from '@jupyterlab/outputarea';

import type { BlobOutput, Output } from '../protocol/generated';
import { never } from '../state/never';

/** An output that is here in full. */
export type WholeOutput = Exclude<Output, BlobOutput>;

/**
 * Say an output as a notebook does.
 */
export function toNotebook(output: WholeOutput): nbformat.IOutput {
  switch (output.output_type) {
    case 'stream':
      return { ...output };
    case 'display_data':
      return {
        output_type: output.output_type,
        data: output.data,
        metadata: output.metadata
      };
    case 'execute_result':
      return {
        output_type: output.output_type,
        data: output.data,
        metadata: output.metadata,
        execution_count: output.execution_count
      };
    case 'error':
      return { ...output };
    default:
      return never(output);
  }
}

/**
 * Bring an output area from one list of outputs to the next with the least
 * change, so that what is shown keeps its place and scroll. Text is added to the
 * last stream, never set; anything else that moved is written afresh.
 */
export function follow(
  model: IOutputAreaModel,
  shown: readonly WholeOutput[],
  next: readonly WholeOutput[]
): void {
  const same = shown.findIndex((output, at) => !isSame(output, next[at]));
  const kept = same < 0 ? shown.length : same;
  if (kept === shown.length) {
    add(model, next.slice(kept));
    return;
  }
  const tail = grown(shown, next, kept);
  if (tail !== null) {
    model.add({ output_type: 'stream', ...tail });
    add(model, next.slice(kept + 1));
    return;
  }
  model.fromJSON(next.map(toNotebook));
}

/** Whether it is the same output, or a stream's that reads the same. */
function isSame(before: WholeOutput, after: WholeOutput | undefined): boolean {
  return (
    before === after ||
    (before.output_type === 'stream' &&
      after?.output_type === 'stream' &&
      before.name === after.name &&
      before.text === after.text)
  );
}

/** What was appended to the last stream shown, or null if something else changed. */
function grown(
  shown: readonly WholeOutput[],
  next: readonly WholeOutput[],
  at: number
): { name: string; text: string } | null {
  const before = shown.at(at);
  const after = next.at(at);
  if (
    at !== shown.length - 1 ||
    before?.output_type !== 'stream' ||
    after?.output_type !== 'stream' ||
    before.name !== after.name ||
    !after.text.startsWith(before.text)
  ) {
    return null;
  }
  return { name: after.name, text: after.text.slice(before.text.length) };
}

function add(model: IOutputAreaModel, outputs: readonly WholeOutput[]): void {
  for (const output of outputs) {
    model.add(toNotebook(output));
  }
}
