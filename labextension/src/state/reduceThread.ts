import type {
  Event,
  KernelChanged,
  MessageQueued,
  MessageUnqueued,
  Notice,
  NoticeItem,
  ThreadChanged,
  ThreadState
} from '../protocol/generated';
import { addItem } from './change';
import { never } from './never';

/** The events of the thread itself. */
export type ThreadEvent = Extract<
  Event,
  ThreadChanged | KernelChanged | MessageQueued | MessageUnqueued | Notice
>;

/**
 * How the events of the thread itself change it.
 */
export function reduceThread(
  state: ThreadState,
  event: ThreadEvent
): ThreadState {
  switch (event.type) {
    case 'thread.changed':
      return changed(state, event);
    case 'kernel.changed':
      return kernelChanged(state, event);
    case 'message.queued':
      return queued(state, event);
    case 'message.unqueued':
      return unqueued(state, event);
    case 'notice':
      return noticed(state, event);
    default:
      return never(event);
  }
}

/** Fields that the event names take its values. */
function changed(state: ThreadState, event: ThreadChanged): ThreadState {
  return {
    ...state,
    title: event.title ?? state.title,
    target: event.target ?? state.target,
    model: event.model ?? state.model,
    mode: event.mode ?? state.mode,
    privacy: event.privacy ?? state.privacy,
    max_runs: event.max_runs ?? state.max_runs,
    budget_from: event.budget_extended ? state.usage : state.budget_from,
    deleted: event.deleted ?? state.deleted
  };
}

/** The kernel is another one, or has forgotten; a memory that held nothing is no loss. */
function kernelChanged(state: ThreadState, event: KernelChanged): ThreadState {
  const { generation, reason, at, lost, lost_total } = event;
  const empty = lost_total === 0 && reason !== 'switched';
  if (reason === 'bound' || empty) {
    return { ...state, generation };
  }
  return { ...state, generation, loss: { reason, at, lost, lost_total } };
}

function queued(state: ThreadState, event: MessageQueued): ThreadState {
  const { message_id, content, target, anchor, outline, when } = event;
  const message = { message_id, content, target, anchor, outline, when };
  return { ...state, queue: [...state.queue, message] };
}

/** A message leaves the queue; a steering one joins its turn. */
function unqueued(state: ThreadState, event: MessageUnqueued): ThreadState {
  const { message_id, reason, turn_id } = event;
  const message = state.queue.find(one => one.message_id === message_id);
  const rest = {
    ...state,
    queue: state.queue.filter(one => one.message_id !== message_id)
  };
  if (reason !== 'steered' || turn_id === null || message === undefined) {
    return rest;
  }
  const { content } = message;
  return addItem(rest, turn_id, { type: 'steer', message_id, content });
}

/** A sentence joins its turn, or the thread. */
function noticed(state: ThreadState, event: Notice): ThreadState {
  const { level, code, text, detail, actions } = event;
  const item: NoticeItem = {
    type: 'notice',
    level,
    code,
    text,
    detail,
    actions
  };
  if (event.turn_id === null) {
    return { ...state, notices: [...state.notices, item] };
  }
  return addItem(state, event.turn_id, item);
}
