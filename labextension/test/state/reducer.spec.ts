import type { Event, ThreadState } from '../../src/protocol/generated';
import { NO_USAGE } from '../../src/state/blank';
import { reduce, replay } from '../../src/state/reducer';
import { BODIES, Stream } from '../support/events';

describe('a thread', () => {
  it('begins without turns, runs and usage', () => {
    const named = 'Sales';
    const event = new Stream().make('thread.created', { title: named });
    const { title, turns, runs, usage } = reduce(null, event);
    expect([title, turns, runs, usage]).toEqual([named, [], {}, NO_USAGE]);
  });

  it('goes on from a snapshot, under the number of the snapshot', () => {
    const whole = replay(new Stream().begin().send('run-1').events)!;
    const state = JSON.parse(JSON.stringify(whole)) as never;
    const stream = new Stream().begin();
    stream.make('thread.snapshot', { state });
    expect(replay(stream.events)).toEqual({ ...whole, seq: 3 });
  });

  it('is not changed by events of runs that are not there, but for the number', () => {
    const stream = new Stream().begin();
    const before = replay(stream.events)!;
    const types = Object.keys(BODIES) as Event['type'][];
    const ofRuns = types.filter(
      type => 'run_id' in BODIES[type] && !('turn_id' in BODIES[type])
    );
    expect(ofRuns.length).toBeGreaterThan(10);
    for (const type of ofRuns) {
      const event = stream.make(type);
      const { seq } = event;
      expect(reduce(before, event)).toEqual({ ...before, seq });
    }
  });

  it('is null without events', () => {
    expect(replay([])).toBeNull();
  });

  it('does not begin in the middle', () => {
    const event = new Stream().make('text.delta');
    expect(() => reduce(null, event)).toThrow('not with text.delta');
  });

  it('is not what a snapshot holds that is no thread', () => {
    const event = new Stream().make('thread.snapshot', { state: { seq: 1 } });
    expect(() => reduce(null, event)).toThrow('not a thread');
  });

  it('gets what an older snapshot did not know of', () => {
    const whole = replay(new Stream().begin().send('run-1').events)!;
    const old = JSON.parse(JSON.stringify(whole)) as ThreadState;
    Reflect.deleteProperty(old, 'max_runs');
    Reflect.deleteProperty(old.turns[0], 'suggestions');
    Reflect.deleteProperty(old.runs['run-1'], 'verdict');
    const event = new Stream().make('thread.snapshot', {
      state: old as never
    });
    expect(reduce(null, event)).toEqual({ ...whole, seq: 1 });
  });
});

describe('what an event does not touch', () => {
  it('stays the same object, so that its row is not drawn again', () => {
    const stream = new Stream().begin().send('run-1');
    stream.make('turn.ended');
    stream.make('turn.started', { turn_id: 'turn-2' });
    stream.make('text.delta', { turn_id: 'turn-2' });
    stream.send('run-2', { turn_id: 'turn-2' });
    const before = replay(stream.events)!;
    const printing = reduce(
      before,
      stream.make('output.added', { run_id: 'run-2' })
    );
    expect(printing.turns).toBe(before.turns);
    expect(printing.runs['run-1']).toBe(before.runs['run-1']);
    expect(printing.runs['run-2']).not.toBe(before.runs['run-2']);
    const talking = reduce(
      printing,
      stream.make('text.delta', { turn_id: 'turn-2' })
    );
    expect(talking.turns[0]).toBe(before.turns[0]);
    expect(talking.turns[1].items[0]).toBe(before.turns[1].items[0]);
    expect(talking.runs).toBe(printing.runs);
    expect(talking.queue).toBe(before.queue);
  });
});
