import type { TranslationBundle } from '@jupyterlab/translation';

import type { Usage } from '../../protocol/generated';
import { never } from '../../state/never';

/** What a column of the meter's table tells. */
export type Column =
  'prompt' | 'completion' | 'cached' | 'cost' | 'seconds' | 'runs';

/** The columns that have something to tell; a sidebar has no room for others. */
export function columnsOf(all: Usage): Column[] {
  return [
    'prompt',
    'completion',
    ...(all.cached > 0 ? (['cached'] as const) : []),
    ...(all.cost !== null ? (['cost'] as const) : []),
    'seconds',
    ...(all.runs > 0 ? (['runs'] as const) : [])
  ];
}

/** What stands above a column, and what that means. */
export function columnWords(
  column: Column,
  trans: TranslationBundle
): { readonly name: string; readonly meaning: string } {
  switch (column) {
    case 'prompt':
      return {
        name: trans.__('Prompt'),
        meaning: trans.__('Tokens that the model was given')
      };
    case 'completion':
      return {
        name: trans.__('Answer'),
        meaning: trans.__('Tokens that the model wrote')
      };
    case 'cached':
      return {
        name: trans.__('Cached'),
        meaning: trans.__('Tokens of the prompt that the provider still had')
      };
    case 'cost':
      return { name: trans.__('Cost'), meaning: trans.__('In US dollars') };
    case 'seconds':
      return {
        name: trans.__('Time'),
        meaning: trans.__('Of the model and of runs')
      };
    case 'runs':
      return {
        name: trans.__('Runs'),
        meaning: trans.__('Cells that went to the kernel')
      };
    default:
      return never(column);
  }
}
