import { isObject } from '../protocol/guards';
import type { Event, ThreadSnapshot, ThreadState } from '../protocol/generated';
import { completed, newThread } from './blank';
import { reduceRuns } from './reduceRuns';
import { reduceThread } from './reduceThread';
import { reduceTurns } from './reduceTurns';

/**
 * The state after one event: the same as `cave_lab.state.fold` gives, to the JSON.
 *
 * What an event does not touch keeps its identity. Throws when the first event is neither the
 * thread's creation nor its snapshot.
 */
export function reduce(state: ThreadState | null, event: Event): ThreadState {
  if (event.type === 'thread.created') {
    return newThread(event);
  }
  if (event.type === 'thread.snapshot') {
    return { ...readSnapshot(event), seq: event.seq };
  }
  if (state === null) {
    throw new Error(
      `A thread begins with thread.created, not with ${event.type}.`
    );
  }
  return { ...apply(state, event), seq: event.seq };
}

/**
 * Fold events from the first; null if there are none.
 */
export function replay(events: Iterable<Event>): ThreadState | null {
  let state: ThreadState | null = null;
  for (const event of events) {
    state = reduce(state, event);
  }
  return state;
}

type Later = Exclude<Event, { type: 'thread.created' | 'thread.snapshot' }>;

function apply(state: ThreadState, event: Later): ThreadState {
  switch (event.type) {
    case 'thread.changed':
    case 'kernel.changed':
    case 'message.queued':
    case 'message.unqueued':
    case 'notice':
      return reduceThread(state, event);
    case 'turn.started':
    case 'variables.seen':
    case 'variables.looked':
    case 'context.sent':
    case 'text.delta':
    case 'reasoning.delta':
    case 'action.delta':
    case 'action.refused':
    case 'model.retrying':
    case 'context.compacted':
    case 'reply.kept':
    case 'usage':
    case 'turn.ended':
      return reduceTurns(state, event);
    default:
      // What is left is a run's; its own switch ends in the never check.
      return reduceRuns(state, event);
  }
}

function readSnapshot(event: ThreadSnapshot): ThreadState {
  const { turns, runs, thread_id } = event.state;
  if (
    typeof thread_id !== 'string' ||
    !Array.isArray(turns) ||
    !isObject(runs)
  ) {
    throw new Error('The snapshot of the thread is not a thread.');
  }
  return completed(event.state as unknown as ThreadState);
}
