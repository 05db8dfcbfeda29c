import { isObject, parseJson } from '../protocol/guards';

/** A message as the model was given it: who speaks, and what it holds. */
export interface ISentMessage {
  readonly role: string;
  readonly text: string;
  /** Figures as data URLs. */
  readonly images: readonly string[];
}

/** What a figure may be; anything else is shown as the text that it is. */
const FIGURE = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/;

/**
 * Read a stored message; all that is not its text is shown as it was stored, so
 * that nothing of what was sent is left out.
 */
export function readSent(stored: string): ISentMessage {
  const message = parseJson(stored);
  if (!isObject(message) || typeof message.role !== 'string') {
    return { role: '', text: stored, images: [] };
  }
  const { role, text, images, ...rest } = message;
  const sent: readonly unknown[] = Array.isArray(images) ? images : [];
  const others = Object.entries({
    ...rest,
    images: sent.filter(one => !isFigure(one))
  }).filter(([, value]) => !isNothing(value));
  return {
    role,
    text: [
      ...(typeof text === 'string' ? [text] : []),
      ...others.map(([key, value]) => `${key}: ${written(value)}`)
    ].join('\n'),
    images: sent.filter(isFigure)
  };
}

function isFigure(value: unknown): value is string {
  return typeof value === 'string' && FIGURE.test(value);
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
