import type { TranslationBundle } from '@jupyterlab/translation';

import type { CellPart, Part } from '../protocol/generated';
import { never } from '../state/never';

/** What the person typed of a part; nothing of a cell, which they only let run. */
function typed(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'mention':
      return `@${part.name}`;
    case 'image':
      return part.mime;
    case 'file':
      return part.name;
    case 'cell':
      return '';
    default:
      return never(part);
  }
}

/** A message as the person typed it; empty if they typed nothing of it. */
export function typedText(content: readonly Part[]): string {
  return content.map(typed).join('');
}

/** The cell that a message lets run, or null. */
export function cellOf(content: readonly Part[]): CellPart | null {
  return content.find(part => part.type === 'cell') ?? null;
}

/** A message in words, as it is shown. */
export function textOf(
  content: readonly Part[],
  trans: TranslationBundle
): string {
  return content.map(part => wordsOf(part, trans)).join('');
}

/** A part of a message in words. */
export function wordsOf(part: Part, trans: TranslationBundle): string {
  return part.type === 'cell'
    ? trans.__('Run the cell from the answer')
    : typed(part);
}
