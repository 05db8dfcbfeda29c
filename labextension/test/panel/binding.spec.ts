import { bindingOf, openLoss } from '../../src/panel/binding';
import { replay } from '../../src/state/reducer';
import { Stream, TARGET } from '../support/events';
import { FakeNotebooks } from '../support/panel';

const begun = () => new Stream().begin();
const KERNEL = {
  type: 'kernel.state' as const,
  thread_id: 'th-1',
  kernel_id: 'k-1',
  state: 'busy' as const,
  whose: 'theirs' as const,
  queued: 2,
  language: 'python',
  display_name: 'Python 3',
  generation: '1-a',
  variables: true
};

describe('what a thread acts on', () => {
  it('is its own notebook, whichever is in front', () => {
    const notebooks = new FakeNotebooks();
    notebooks.front = { ...notebooks.front!, path: 'b.ipynb' };
    expect(
      bindingOf(replay(begun().events), KERNEL, notebooks, 'r')
    ).toMatchObject({
      path: 'a.ipynb',
      open: false,
      inFront: 'b.ipynb',
      activity: 'busy_theirs',
      queued: 2
    });
  });

  it('waits for the person while a cell of its own asks for input', () => {
    const notebooks = new FakeNotebooks();
    const stream = begun().send('run-1');
    const activity = () =>
      bindingOf(
        replay(stream.events),
        { ...KERNEL, whose: 'ours' },
        notebooks,
        'r'
      )?.activity;
    expect(activity()).toBe('busy_ours');
    stream.make('stdin.requested');
    expect(activity()).toBe('busy_asking');
    stream.make('stdin.closed');
    expect(activity()).toBe('busy_ours');
  });

  it('is the notebook in front before its first message', () => {
    expect(bindingOf(null, null, new FakeNotebooks(), 'r')).toMatchObject({
      path: 'a.ipynb',
      inFront: null,
      activity: 'idle'
    });
  });

  it('is not the notebook that has its path under another root', () => {
    const stream = begun();
    const notebook = { root_id: 'other', path: 'a.ipynb' };
    stream.make('thread.changed', { target: { ...TARGET, notebook } });
    expect(
      bindingOf(replay(stream.events), null, new FakeNotebooks(), 'r')
    ).toMatchObject({ elsewhere: true, open: false, inFront: 'a.ipynb' });
  });

  it('is nothing without a notebook', () => {
    const notebooks = new FakeNotebooks();
    notebooks.front = null;
    expect(bindingOf(null, null, notebooks, 'r')).toBeNull();
  });
});

describe('the loss of memory', () => {
  const lose = (stream: Stream) =>
    stream.make('kernel.changed', { reason: 'restarted', lost_total: 3 });

  it('is open until a later turn begins', () => {
    const stream = begun();
    lose(stream);
    expect(openLoss(replay(stream.events)!)).toMatchObject({ lost_total: 3 });
    stream.make('turn.started', { turn_id: 'turn-2' });
    expect(openLoss(replay(stream.events)!)).toBeNull();
  });

  it('is none when the person chose another kernel', () => {
    const stream = begun();
    stream.make('kernel.changed', { reason: 'switched' });
    expect(openLoss(replay(stream.events)!)).toBeNull();
  });
});
