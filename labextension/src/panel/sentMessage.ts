import { isObject, parseJson } from '../protocol/guards';

/** A message as the model was given it: who speaks, and what it holds. */
export interface ISentMessage {
  readonly role: string;
  readonly text: string;
}

/**
 * Read a stored message; all that is not its text is shown as it was stored, so
 * that nothing of what was sent is left out.
 */
export function readSent(stored: string): ISentMessage {
  const message = parseJson(stored);
  if (!isObject(message) || typeof message.role !== 'string') {
    return { role: '', text: stored };
  }
  const { role, text, ...rest } = message;
  const others = Object.entries(rest).filter(([, value]) => !isNothing(value));
  return {
    role,
    text: [
      ...(typeof text === 'string' ? [text] : []),
      ...others.map(([key, value]) => `${key}: ${written(value)}`)
    ].join('\n')
  };
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Code reads better with its own line ends. */
function written(value: unknown): string {
  return isObject(value)
    ? Object.entries(value)
        .map(([key, one]) => `\n${key}: ${written(one)}`)
        .join('')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}
