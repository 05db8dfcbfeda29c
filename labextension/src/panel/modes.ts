import type { TranslationBundle } from '@jupyterlab/translation';

import type { Mode } from '../protocol/generated';
import { never } from '../state/never';

/** The modes that are offered, the most careful first. */
export const OFFERED_MODES: readonly Mode[] = ['chat', 'review', 'auto'];

/** What a mode is called. */
export function modeWords(mode: Mode, trans: TranslationBundle): string {
  switch (mode) {
    case 'chat':
      return trans.__('Chat only');
    case 'review':
      return trans.__('Review each cell');
    case 'guarded':
      return trans.__('Ask at risks');
    case 'auto':
      return trans.__('Auto');
    default:
      return never(mode);
  }
}
