import type { Event, Frame, Signal } from './generated';

type Fields = Record<string, unknown>;

/** Listed once more because types are gone at run time; the compiler keeps it complete. */
const EVENT_TYPES: Record<Event['type'], true> = {
  'thread.created': true,
  'thread.changed': true,
  'thread.snapshot': true,
  'kernel.changed': true,
  'turn.started': true,
  'message.queued': true,
  'message.unqueued': true,
  'variables.seen': true,
  'variables.looked': true,
  'context.sent': true,
  'text.delta': true,
  'reasoning.delta': true,
  'action.delta': true,
  'action.refused': true,
  'model.retrying': true,
  'context.compacted': true,
  'reply.kept': true,
  usage: true,
  notice: true,
  'turn.ended': true,
  'run.proposed': true,
  'approval.requested': true,
  'approval.closed': true,
  'run.intended': true,
  'run.started': true,
  'output.added': true,
  'output.appended': true,
  'output.updated': true,
  'output.cleared': true,
  'output.truncated': true,
  'stdin.requested': true,
  'stdin.closed': true,
  'run.ended': true,
  'cell.placed': true,
  'cell.reviewed': true
};

const SIGNAL_TYPES: Record<Signal['type'], true> = {
  'kernel.state': true,
  'writer.lease': true,
  caught_up: true,
  'thread.fault': true
};

/**
 * Whether a value is a JSON object.
 */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Read what the server sent; null if it is no frame that this page knows.
 *
 * Only what decides where a frame goes is checked: its type, and the ids and numbers that
 * put it into its place. The rest is the server's word, which the types were generated from.
 */
export function parseFrame(text: string): Frame | null {
  const value = parseJson(text);
  return isFrame(value) ? value : null;
}

/**
 * Read JSON; undefined if it is none.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function isFrame(value: unknown): value is Frame {
  if (!isObject(value) || typeof value.type !== 'string') {
    return false;
  }
  if (Object.hasOwn(EVENT_TYPES, value.type)) {
    return isSeq(value.seq) && isText(value.thread_id) && isText(value.at);
  }
  if (Object.hasOwn(SIGNAL_TYPES, value.type)) {
    return isText(value.thread_id);
  }
  return isGreetingOrReply(value);
}

function isGreetingOrReply(value: Fields): boolean {
  switch (value.type) {
    case 'hello':
      return typeof value.protocol_version === 'number';
    case 'command.ok':
      return isText(value.command_id) && isResult(value.result);
    case 'command.rejected':
      return (
        (value.command_id === null || isText(value.command_id)) &&
        isText(value.code) &&
        isText(value.message)
      );
    default:
      return false;
  }
}

function isResult(value: unknown): boolean {
  return value === null || (isObject(value) && isText(value.type));
}

function isSeq(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
