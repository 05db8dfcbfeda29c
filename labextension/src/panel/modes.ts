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

/** What choosing a mode does, in words, for a list of things to do. */
export function modeAct(mode: Mode, trans: TranslationBundle): string {
  const name = modeWords(mode, trans);
  switch (mode) {
    case 'chat':
      return trans.__('Let no cell run (%1)', name);
    case 'review':
      return trans.__('Ask before each cell (%1)', name);
    case 'guarded':
      return trans.__('Ask before cells that carry a risk (%1)', name);
    case 'auto':
      return trans.__('Let cells run without asking (%1)', name);
    default:
      return never(mode);
  }
}
