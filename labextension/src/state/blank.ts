import type {
  RunState,
  ThreadCreated,
  ThreadState,
  TurnStarted,
  TurnState,
  Usage
} from '../protocol/generated';

/** What every beginning needs; the rest of each state has a value to begin with. */
type RunBeginning = Pick<RunState, 'run_id' | 'turn_id' | 'call' | 'phase'>;

/** Nothing used yet. */
export const NO_USAGE: Usage = {
  calls: 0,
  prompt: 0,
  completion: 0,
  cached: 0,
  cost: null,
  price_source: null,
  runs: 0,
  estimated: false,
  unpriced: 0,
  seconds: 0
};

const NEW_RUN: Omit<RunState, keyof RunBeginning> = {
  code: '',
  purpose: '',
  sha256: null,
  by: 'model',
  replaces: null,
  repairs: null,
  attempt_of: null,
  scratch: false,
  risks: [],
  target: null,
  approval: null,
  generation: null,
  cell_id: null,
  after: null,
  started_at: null,
  execution_count: null,
  outputs: [],
  truncated: null,
  stdin: null,
  status: null,
  reason: null,
  duration_seconds: null,
  error: null,
  variables: [],
  variables_complete: false,
  excerpt: null,
  placed: null,
  verdict: null
};

const NEW_TURN = {
  origin: 'browser',
  seen: null,
  items: [],
  calls: [],
  stop_reason: null,
  usage: NO_USAGE,
  suggestions: [],
  ended_at: null
} satisfies Partial<TurnState>;

const NEW_THREAD = {
  model: null,
  max_runs: null,
  parent: null,
  deleted: false,
  generation: null,
  loss: null,
  turns: [],
  runs: {},
  queue: [],
  notices: [],
  usage: NO_USAGE,
  budget_from: NO_USAGE
} satisfies Partial<ThreadState>;

/**
 * A run with the fields given, and all others as they begin.
 */
export function newRun(fields: RunBeginning & Partial<RunState>): RunState {
  return { ...NEW_RUN, ...fields };
}

/**
 * A turn of which only the person's message is known.
 */
export function newTurn(event: TurnStarted): TurnState {
  return {
    ...NEW_TURN,
    turn_id: event.turn_id,
    parent_turn_id: event.parent_turn_id,
    message_id: event.message_id,
    content: event.content,
    target: event.target,
    anchor: event.anchor,
    outline: event.outline,
    started_at: event.at,
    origin: event.origin
  };
}

/**
 * A thread without turns.
 */
export function newThread(event: ThreadCreated): ThreadState {
  return {
    ...NEW_THREAD,
    thread_id: event.thread_id,
    seq: event.seq,
    title: event.title,
    owner: event.owner,
    created_at: event.at,
    target: event.target,
    mode: event.mode,
    privacy: event.privacy,
    model: event.model,
    parent: event.parent
  };
}

/**
 * A stored state with what it lacks as it begins: an older server may not have known a field.
 */
export function completed(state: ThreadState): ThreadState {
  const whole = { ...NEW_THREAD, ...state };
  const runs = Object.entries(whole.runs).map(
    ([id, run]) => [id, newRun(run)] as const
  );
  return {
    ...whole,
    turns: whole.turns.map(turn => ({ ...NEW_TURN, ...turn })),
    runs: Object.fromEntries(runs)
  };
}
