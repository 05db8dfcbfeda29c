import type {
  Event,
  Output,
  OutputAdded,
  OutputAppended,
  OutputCleared,
  OutputTruncated,
  OutputUpdated,
  RunState,
  ThreadState
} from '../protocol/generated';
import { findRun, putRun, replaced } from './change';
import { never } from './never';

/** The events of what a run puts out. */
export type OutputEvent = Extract<
  Event,
  OutputAdded | OutputAppended | OutputUpdated | OutputCleared | OutputTruncated
>;

/**
 * How what a cell puts out changes its run.
 */
export function reduceOutputs(
  state: ThreadState,
  event: OutputEvent
): ThreadState {
  const run = findRun(state, event.run_id);
  if (run === null) {
    return state;
  }
  const next = apply(run, event);
  return next === run ? state : putRun(state, next);
}

function apply(run: RunState, event: OutputEvent): RunState {
  switch (event.type) {
    case 'output.added':
      return put(run, event.index, event.output);
    case 'output.appended':
      return append(run, event);
    case 'output.updated':
      return has(run, event.index) ? put(run, event.index, event.output) : run;
    case 'output.cleared':
      return { ...run, outputs: [] };
    case 'output.truncated':
      return { ...run, truncated: event.text };
    default:
      return never(event);
  }
}

/** Only a stream that is there can grow. */
function append(run: RunState, event: OutputAppended): RunState {
  if (!has(run, event.index)) {
    return run;
  }
  const old = run.outputs[event.index];
  return old.output_type === 'stream'
    ? put(run, event.index, { ...old, text: old.text + event.text })
    : run;
}

function has(run: RunState, index: number): boolean {
  return index >= 0 && index < run.outputs.length;
}

function put(run: RunState, index: number, output: Output): RunState {
  return { ...run, outputs: replaced(run.outputs, index, output) };
}
