import type { RunState } from '../../src/protocol/generated';
import {
  runLabel,
  runningTurn,
  runSeconds,
  waitingRuns,
  wasLeft
} from '../../src/state/labels';
import { replay } from '../../src/state/reducer';
import { run, turn } from '../support/cases';
import { Stream } from '../support/events';

type Step = (stream: Stream) => unknown;

function label(...steps: Step[]): string {
  const stream = new Stream().begin();
  steps.forEach(step => step(stream));
  const state = replay(stream.events)!;
  return runLabel(run(state), wasLeft(turn(state), run(state)));
}

const writing: Step = stream => stream.make('action.delta');
const proposed: Step = stream => stream.make('run.proposed');
const asked: Step = stream => stream.make('approval.requested');
const turnEnded: Step = stream => stream.make('turn.ended');
const sent: Step = stream => stream.send('run-1');
const closed =
  (outcome: 'run' | 'rejected' | 'cancelled' | 'server_restarted'): Step =>
  stream =>
    stream.make('approval.closed', { outcome });
const ended =
  (status: NonNullable<RunState['status']>): Step =>
  stream =>
    stream.make('run.ended', { status });

describe('a run is', () => {
  it.each([
    ['writing', [writing]],
    ['writing', [proposed]],
    ['waiting', [proposed, asked]],
    ['queued', [proposed, asked, closed('run')]],
    ['running', [sent]],
    ['running', [sent, (s: Stream) => s.make('run.started')]],
    ['needs_input', [sent, (s: Stream) => s.make('stdin.requested')]],
    ['done', [sent, ended('ok')]],
    ['failed', [sent, ended('error')]],
    ['interrupted', [sent, ended('interrupted')]],
    ['kernel_lost', [sent, ended('kernel_died')]],
    ['kernel_lost', [sent, ended('kernel_restarted')]],
    ['unknown', [sent, ended('unknown')]],
    ['not_run', [sent, ended('not_run')]],
    ['rejected', [proposed, asked, closed('rejected')]],
    ['rejected', [proposed, asked, closed('rejected'), ended('rejected')]],
    ['not_run', [proposed, asked, closed('cancelled')]],
    ['no_longer_open', [proposed, asked, closed('server_restarted')]],
    [
      'no_longer_open',
      [proposed, asked, closed('server_restarted'), ended('not_run')]
    ],
    ['no_longer_open', [proposed, asked, turnEnded]],
    ['not_run', [writing, turnEnded]],
    ['not_run', [proposed, asked, closed('run'), turnEnded]]
  ] as [string, Step[]][])('%s (case %#)', (expected, steps) => {
    expect(label(...steps)).toBe(expected);
  });

  it('not run when the model was asked again while it was being written', () => {
    const again: Step = stream => stream.make('context.sent', { call: 2 });
    expect(label(writing, again)).toBe('not_run');
  });
});

describe('a thread', () => {
  it('waits for the answers that were not given yet', () => {
    const stream = new Stream().begin();
    stream.make('run.proposed');
    stream.make('approval.requested');
    const waiting = (): string[] =>
      waitingRuns(replay(stream.events)!).map(one => one.run_id);
    expect(waiting()).toEqual(['run-1']);
    stream.make('approval.closed', { outcome: 'cancelled' });
    expect(waiting()).toEqual([]);
  });

  it('has a running turn until that ends', () => {
    const stream = new Stream();
    stream.make('thread.created');
    expect(runningTurn(replay(stream.events)!)).toBeNull();
    stream.make('turn.started');
    expect(runningTurn(replay(stream.events)!)?.turn_id).toBe('turn-1');
    stream.make('turn.ended');
    expect(runningTurn(replay(stream.events)!)).toBeNull();
  });
});

describe('the time of a run', () => {
  const stream = new Stream().begin().send('run-1');

  it('is not known before it began', () => {
    expect(runSeconds(run(replay(stream.events)!), 0)).toBeNull();
  });

  it('grows while it runs, and is what was measured once it ended', () => {
    const { at } = stream.make('run.started');
    const running = run(replay(stream.events)!);
    expect(runSeconds(running, Date.parse(at) + 2_500)).toBe(2.5);
    expect(runSeconds(running, Date.parse(at) - 2_500)).toBe(0);
    stream.make('run.ended');
    const over = run(replay(stream.events)!);
    expect(runSeconds(over, Date.parse(at) + 9_000)).toBe(1.5);
  });
});
