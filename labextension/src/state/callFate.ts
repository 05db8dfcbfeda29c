import type {
  CallState,
  Item,
  LookItem,
  ReasoningItem,
  RefusedItem,
  RunItem,
  TextItem,
  TurnState
} from '../protocol/generated';
import { never } from './never';

/** Whether what was gathered for a call has gone out, as far as is known. */
export type CallFate = 'sending' | 'sent' | 'unsent';

/** How failures are called in which nobody was reached. */
const UNSENT: readonly string[] = [
  'model_key_missing',
  'model_not_set',
  'model_unreachable'
];

/** Say what became of a call of a turn: only the last one can have reached nobody. */
export function callFate(turn: TurnState, call: CallState): CallFate {
  const answered =
    call !== turn.calls.at(-1) ||
    call.usage !== null ||
    turn.items.some(item => isModels(item) && item.call === call.call);
  if (answered) {
    return 'sent';
  }
  const last = turn.items.at(-1);
  if (last?.type === 'notice' && UNSENT.includes(last.code)) {
    return 'unsent';
  }
  return turn.stop_reason === null ? 'sending' : 'sent';
}

type OfModel = TextItem | ReasoningItem | RunItem | RefusedItem | LookItem;

/** Whether an item is of what a model said or did. */
export function isModels(item: Item): item is OfModel {
  switch (item.type) {
    case 'text':
    case 'reasoning':
    case 'run':
    case 'refused':
      return true;
    case 'look':
      return item.by === 'model';
    case 'steer':
    case 'retry':
    case 'compacted':
    case 'notice':
      return false;
    default:
      return never(item);
  }
}
