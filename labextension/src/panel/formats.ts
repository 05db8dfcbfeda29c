import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  ActionFormat,
  Effort,
  LearnedFormat
} from '../protocol/generated';
import { never } from '../state/never';
import { day } from './when';

/** The ways in which a model asks for a cell. */
export const FORMATS: readonly ActionFormat[] = ['tools', 'fences'];

/** How much a model is asked to reason, the least first. */
export const EFFORTS: readonly Effort[] = ['low', 'medium', 'high'];

/** What a way of asking for cells is called. */
export function formatWords(
  format: ActionFormat,
  trans: TranslationBundle
): string {
  switch (format) {
    case 'tools':
      return trans.__('Tools');
    case 'fences':
      return trans.__('Fenced blocks');
    default:
      return never(format);
  }
}

/** What a way of asking for cells means; null leaves it to CaveLab. */
export function formatMeaning(
  format: ActionFormat | null,
  learned: LearnedFormat | null,
  trans: TranslationBundle
): string {
  switch (format) {
    case null:
      return learned === null
        ? trans.__('Decided at the first message.')
        : learnedWords(learned, trans);
    case 'tools':
      return trans.__(
        'The model calls a tool of CaveLab. Most large models can.'
      );
    case 'fences':
      return trans.__(
        'The model writes the cell into its answer, in a block marked “run”. Any model can.'
      );
    default:
      return never(format);
  }
}

/** How a model was seen to act, and by what, in a sentence. */
export function learnedWords(
  learned: LearnedFormat,
  trans: TranslationBundle
): string {
  const format = formatWords(learned.format, trans);
  const on = day(learned.at);
  switch (learned.reason) {
    case 'tools_refused':
      return trans.__('%1: it refused tools on %2.', format, on);
    case 'call_as_text':
      return trans.__(
        '%1: it wrote a tool call as plain text on %2.',
        format,
        on
      );
    case 'broken_arguments':
      return trans.__(
        "%1: its tool calls couldn't be read, twice, last on %2.",
        format,
        on
      );
    case 'called_the_tool':
      return trans.__(
        '%1: it called the tool when it was tested on %2.',
        format,
        on
      );
    default:
      return never(learned.reason);
  }
}

/** What an amount of reasoning is called; null leaves it to the provider. */
export function effortWords(
  effort: Effort | null,
  trans: TranslationBundle
): string {
  switch (effort) {
    case null:
      return trans.__("Provider's default");
    case 'low':
      return trans.__('Low');
    case 'medium':
      return trans.__('Medium');
    case 'high':
      return trans.__('High');
    default:
      return never(effort);
  }
}
