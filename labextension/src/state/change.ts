import type {
  Item,
  RunState,
  ThreadState,
  TurnState,
  Usage
} from '../protocol/generated';

/**
 * A run by its id, or null.
 */
export function findRun(
  state: Pick<ThreadState, 'runs'>,
  runId: string | null
): RunState | null {
  return runId !== null && Object.hasOwn(state.runs, runId)
    ? state.runs[runId]
    : null;
}

/**
 * Put a run in its place.
 */
export function putRun(state: ThreadState, run: RunState): ThreadState {
  return { ...state, runs: { ...state.runs, [run.run_id]: run } };
}

/**
 * Change fields of one run; a run that is not there changes nothing.
 */
export function withRun(
  state: ThreadState,
  runId: string,
  update: Partial<RunState>
): ThreadState {
  const run = findRun(state, runId);
  return run === null ? state : putRun(state, { ...run, ...update });
}

/**
 * Change one turn, looked up from the end: it is nearly always the last.
 */
export function editTurn(
  state: ThreadState,
  turnId: string,
  edit: (turn: TurnState) => TurnState
): ThreadState {
  for (let index = state.turns.length - 1; index >= 0; index--) {
    const turn = state.turns[index];
    if (turn.turn_id === turnId) {
      return { ...state, turns: replaced(state.turns, index, edit(turn)) };
    }
  }
  return state;
}

/**
 * Change fields of one turn.
 */
export function withTurn(
  state: ThreadState,
  turnId: string,
  update: Partial<TurnState>
): ThreadState {
  return editTurn(state, turnId, turn => ({ ...turn, ...update }));
}

/**
 * Add to the end of a turn's answer.
 */
export function addItem(
  state: ThreadState,
  turnId: string,
  item: Item
): ThreadState {
  return editTurn(state, turnId, turn => ({
    ...turn,
    items: [...turn.items, item]
  }));
}

/**
 * Copy a list with one item changed; an index past the end appends.
 */
export function replaced<T>(items: readonly T[], index: number, item: T): T[] {
  const copy = [...items];
  copy[index >= 0 && index < items.length ? index : items.length] = item;
  return copy;
}

/**
 * Sum usage; a cost is the sum of the known ones, null while none is known.
 */
export function addUsage(first: Usage, second: Usage): Usage {
  return {
    calls: first.calls + second.calls,
    prompt: first.prompt + second.prompt,
    completion: first.completion + second.completion,
    cached: first.cached + second.cached,
    cost: addCost(first.cost, second.cost),
    // An empty name is no name.
    price_source: second.price_source || first.price_source,
    runs: first.runs + second.runs,
    estimated: first.estimated || second.estimated,
    unpriced: first.unpriced + second.unpriced,
    seconds: first.seconds + second.seconds
  };
}

/**
 * Count in the turn and in the thread.
 */
export function addToUsage(
  state: ThreadState,
  turnId: string,
  used: Usage
): ThreadState {
  const next = editTurn(state, turnId, turn => ({
    ...turn,
    usage: addUsage(turn.usage, used)
  }));
  return { ...next, usage: addUsage(state.usage, used) };
}

function addCost(first: number | null, second: number | null): number | null {
  if (first === null || second === null) {
    return first ?? second;
  }
  return first + second;
}
