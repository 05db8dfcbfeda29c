import type {
  Event,
  RunState,
  ThreadState,
  TurnState
} from '../../src/protocol/generated';
import { reduce, replay } from '../../src/state/reducer';
import { Stream } from './events';

/** What one event does to a thread that has one turn. */
export interface ICase {
  /** What it proves, where the event's type does not say enough. */
  readonly name?: string;
  readonly before?: (stream: Stream) => unknown;
  readonly event: (stream: Stream) => Event;
  readonly see: (state: ThreadState) => unknown;
  readonly becomes: unknown;
}

/** The last turn. */
export function turn(state: ThreadState): TurnState {
  return state.turns.at(-1)!;
}

/** The run that the events are about unless they say otherwise. */
export function run(state: ThreadState): RunState {
  return state.runs['run-1'];
}

/** Prove every case, and that the state before it is left as it was. */
export function checkCases(cases: Record<string, readonly ICase[]>): void {
  const all = Object.entries(cases).flatMap(([type, list]) =>
    list.map(
      (one, index) => [one.name ?? `${type} (${index + 1})`, one] as const
    )
  );
  it.each(all)('makes the state what it says: %s', (_, one) => {
    const stream = new Stream().begin();
    one.before?.(stream);
    const before = replay(stream.events)!;
    const text = JSON.stringify(before);
    const after = reduce(before, one.event(stream));
    expect(one.see(after)).toEqual(one.becomes);
    expect(after.seq).toBe(stream.events.length);
    expect(JSON.stringify(before)).toBe(text);
  });
}
