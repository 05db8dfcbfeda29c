import type { Part } from '../protocol/generated';
import { never } from '../state/never';

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'mention':
      return `@${part.name}`;
    case 'image':
      return part.mime;
    case 'file':
      return part.name;
    default:
      return never(part);
  }
}

/** A message in words, as the person typed it. */
export function textOf(content: readonly Part[]): string {
  return content.map(partText).join('');
}
