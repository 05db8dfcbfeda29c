import type { TranslationBundle } from '@jupyterlab/translation';

import type { TurnState } from '../../protocol/generated';
import { isModels } from '../../state/callFate';
import { never } from '../../state/never';
import { saysWhy } from './nextsteps';

/** Why a turn ended, or null where its answer or a notice is the last word. */
export function stopWords(
  turn: TurnState,
  trans: TranslationBundle
): string | null {
  return saysWhy(turn) ? null : reasonWords(turn, trans);
}

function reasonWords(turn: TurnState, trans: TranslationBundle): string | null {
  switch (turn.stop_reason) {
    case null:
    case 'end_turn':
      return null;
    case 'max_runs':
      return trans.__('Stopped: this turn has run as many cells as it may.');
    case 'max_tokens':
      return trans.__('Stopped: this turn has used as many tokens as it may.');
    case 'max_cost':
      return trans.__('Stopped: this turn has cost as much as it may.');
    case 'max_time':
      return trans.__('Stopped: this turn has taken as long as it may.');
    case 'cancelled':
      return `${trans.__('You stopped this turn.')} ${restWords(turn, trans)}`;
    case 'interrupted':
      return `${trans.__('The server went away in this turn.')} ${restWords(turn, trans)}`;
    case 'refusal':
      return trans.__('The model refused to answer this.');
    case 'model_error':
      return trans.__('No answer came from a model, so this turn ended here.');
    case 'kernel_lost':
      return trans.__('The kernel lost its memory in this turn.');
    case 'journal_unavailable':
      return trans.__(
        'The journal could not be written, so nothing more was run.'
      );
    case 'internal_error':
      return `${trans.__('CaveLab failed in this turn.')} ${restWords(turn, trans)}`;
    default:
      return never(turn.stop_reason);
  }
}

/** What there is of a turn that was cut off. */
function restWords({ items }: TurnState, trans: TranslationBundle): string {
  return items.some(isModels)
    ? trans.__('What it did so far is kept.')
    : trans.__('It had done nothing yet.');
}
