import type {
  ActionDelta,
  ActionRefused,
  CallState,
  ContextCompacted,
  ContextSent,
  Event,
  Item,
  ModelRetrying,
  ReasoningDelta,
  ReplyKept,
  TextDelta,
  ThreadState,
  TurnEnded,
  TurnStarted,
  Usage,
  UsageReported,
  VariablesLooked,
  VariablesSeen
} from '../protocol/generated';
import { newRun, newTurn } from './blank';
import {
  addItem,
  addToUsage,
  editTurn,
  findRun,
  putRun,
  replaced,
  withTurn
} from './change';
import { never } from './never';

/** The events of a turn and its talk with the model. */
export type TurnEvent = Extract<
  Event,
  | TurnStarted
  | VariablesSeen
  | VariablesLooked
  | ContextSent
  | TextDelta
  | ReasoningDelta
  | ActionDelta
  | ActionRefused
  | ModelRetrying
  | ContextCompacted
  | ReplyKept
  | UsageReported
  | TurnEnded
>;

/**
 * How a turn's talk with the model changes a thread.
 */
export function reduceTurns(state: ThreadState, event: TurnEvent): ThreadState {
  switch (event.type) {
    case 'turn.started':
      return { ...state, turns: [...state.turns, newTurn(event)] };
    case 'variables.seen':
      return variablesSeen(state, event);
    case 'variables.looked':
      return looked(state, event);
    case 'context.sent':
      return contextSent(state, event);
    case 'text.delta':
      return grown(state, event, 'text');
    case 'reasoning.delta':
      return grown(state, event, 'reasoning');
    case 'action.delta':
      return written(state, event);
    case 'action.refused':
      return refused(state, event);
    case 'model.retrying':
      return retrying(state, event);
    case 'context.compacted':
      return compacted(state, event);
    case 'reply.kept':
      return withCall(state, event, { kept: event.blob });
    case 'usage':
      return used(state, event);
    case 'turn.ended':
      return ended(state, event);
    default:
      return never(event);
  }
}

function variablesSeen(state: ThreadState, event: VariablesSeen): ThreadState {
  const { generation, variables, total, omitted } = event;
  const { unavailable, age_seconds } = event;
  const { changes, changes_complete, changes_lost, mark } = event;
  const seen = {
    generation,
    variables,
    total,
    omitted,
    unavailable,
    age_seconds,
    changes,
    changes_complete,
    changes_lost,
    mark
  };
  return withTurn(state, event.turn_id, { seen });
}

function looked(state: ThreadState, event: VariablesLooked): ThreadState {
  const { turn_id, call, by, names, detail, answers } = event;
  return addItem(state, turn_id, {
    type: 'look',
    call,
    by,
    names,
    detail,
    answers,
    privacy: state.privacy
  });
}

function contextSent(state: ThreadState, event: ContextSent): ThreadState {
  const call = {
    call: event.call,
    model: event.model,
    messages: event.messages,
    variables: event.variables,
    cells: event.cells,
    estimated_tokens: event.estimated_tokens,
    outline: event.outline,
    format: event.format,
    kept: null,
    usage: null
  };
  return editTurn(state, event.turn_id, turn => ({
    ...turn,
    calls: [...turn.calls, call]
  }));
}

/** Text joins the stretch it continues, else it begins a new one. */
function grown(
  state: ThreadState,
  event: TextDelta | ReasoningDelta,
  type: 'text' | 'reasoning'
): ThreadState {
  const { call, text } = event;
  return editTurn(state, event.turn_id, turn => {
    const last = turn.items.at(-1);
    const goesOn = last?.type === type && last.call === call;
    const item: Item = { type, call, text: goesOn ? last.text + text : text };
    const index = turn.items.length - (goesOn ? 1 : 0);
    return { ...turn, items: replaced(turn.items, index, item) };
  });
}

/** The code being written grows; its first piece makes the run. */
function written(state: ThreadState, event: ActionDelta): ThreadState {
  const { run_id, turn_id, call, delta } = event;
  const run = findRun(state, run_id);
  if (run !== null) {
    return putRun(state, { ...run, code: run.code + delta });
  }
  const begun = newRun({
    run_id,
    turn_id,
    call,
    phase: 'writing',
    code: delta
  });
  return addItem(putRun(state, begun), turn_id, { type: 'run', call, run_id });
}

function refused(state: ThreadState, event: ActionRefused): ThreadState {
  const { turn_id, call, code, text } = event;
  return addItem(state, turn_id, { type: 'refused', call, code, text });
}

function retrying(state: ThreadState, event: ModelRetrying): ThreadState {
  const { turn_id, call, attempt, wait_seconds, text } = event;
  return addItem(state, turn_id, {
    type: 'retry',
    call,
    attempt,
    wait_seconds,
    text
  });
}

function compacted(state: ThreadState, event: ContextCompacted): ThreadState {
  const { turn_id, call, tier, reason, before_tokens, after_tokens } = event;
  const { up_to_turn, up_to_call, summary, privacy } = event;
  const { generation, variables, variables_total } = event;
  return addItem(state, turn_id, {
    type: 'compacted',
    call,
    tier,
    reason,
    before_tokens,
    after_tokens,
    up_to_turn,
    up_to_call,
    summary,
    privacy,
    generation,
    variables,
    variables_total
  });
}

/** A call's usage is added to the call, the turn and the thread. */
function used(state: ThreadState, event: UsageReported): ThreadState {
  const { prompt, completion, cached, cost, price_source } = event;
  const { estimated, seconds } = event;
  const usage: Usage = {
    calls: 1,
    prompt,
    completion,
    cached,
    cost,
    price_source,
    runs: 0,
    estimated,
    unpriced: cost === null ? 1 : 0,
    seconds
  };
  const next = withCall(state, event, { usage });
  return addToUsage(next, event.turn_id, usage);
}

/** Change fields of one model call. */
function withCall(
  state: ThreadState,
  event: ReplyKept | UsageReported,
  update: Partial<CallState>
): ThreadState {
  return editTurn(state, event.turn_id, turn => ({
    ...turn,
    calls: turn.calls.map(call =>
      call.call === event.call ? { ...call, ...update } : call
    )
  }));
}

function ended(state: ThreadState, event: TurnEnded): ThreadState {
  const { stop_reason, usage, suggestions, at } = event;
  return withTurn(state, event.turn_id, {
    stop_reason,
    usage,
    suggestions,
    ended_at: at
  });
}
