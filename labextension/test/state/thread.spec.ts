import { Connection } from '../../src/connection';
import type { Event } from '../../src/protocol/generated';
import { replay } from '../../src/state/reducer';
import { ThreadModel } from '../../src/state/thread';
import { Stream } from '../support/events';
import { TestServer } from '../support/server';
import { until } from '../support/until';

const SOON = { firstMs: 4, maxMs: 16, steadyMs: 10_000 };

let server: TestServer;
let client: Connection;
let thread: ThreadModel;
let stream: Stream;
/** The frames that were asked for and not drawn yet. */
let frames: (() => void)[];

beforeEach(async () => {
  server = await TestServer.start();
  stream = new Stream().begin();
  server.threads.set('th-1', [...stream.events]);
  client = new Connection({ settings: server.settings, retry: SOON });
  frames = [];
});

afterEach(async () => {
  thread.dispose();
  client.dispose();
  await server.stop();
});

function open(): ThreadModel {
  thread = new ThreadModel(client, 'th-1', callback => {
    frames.push(callback);
    return () => {
      frames = frames.filter(frame => frame !== callback);
    };
  });
  return thread;
}

const seq = (): number => thread.state?.seq ?? 0;
const caughtUp = (): Promise<void> =>
  until(() => thread.caughtUp, 'the thread has caught up');
const reaches = (wanted: number): Promise<void> =>
  until(() => seq() === wanted, `event ${wanted} is folded`);

function publish(event: Event, lost = false): Event {
  server.publish(event, lost);
  return event;
}

/** The numbers after which the thread was asked for. */
const asked = (): (number | undefined)[] =>
  server.of('thread.open').map(command => command.from_seq);

describe('an open thread', () => {
  it('is what its stored events fold to, and then follows', async () => {
    open();
    expect([thread.state, thread.caughtUp]).toEqual([null, false]);
    await caughtUp();
    expect(thread.state).toEqual(replay(stream.events));
    publish(stream.make('text.delta'));
    await reaches(3);
    expect(thread.state).toEqual(replay(stream.events));
    expect(asked()).toEqual([0]);
  });

  it('can be opened before and after the connection is', async () => {
    open();
    await caughtUp();
    thread.dispose();
    open();
    await caughtUp();
    expect(asked()).toEqual([0, 0]);
  });

  it('takes no events of other threads', async () => {
    open();
    await caughtUp();
    server.say(new Stream('th-2').make('thread.created', { title: '' }));
    publish(stream.make('text.delta'));
    await reaches(3);
    expect(thread.state).toEqual(replay(stream.events));
  });

  it('tells of a change once per frame', async () => {
    const changed = jest.fn();
    open().changed.connect(changed);
    await caughtUp();
    for (let n = 0; n < 5; n++) {
      publish(stream.make('text.delta'));
    }
    await reaches(7);
    expect(frames.length).toBe(1);
    expect(changed).not.toHaveBeenCalled();
    frames.pop()?.();
    expect(changed).toHaveBeenCalledTimes(1);
    publish(stream.make('text.delta'));
    await reaches(8);
    expect(frames.length).toBe(1);
  });

  it('knows what is only told: kernel, lease, why it is read-only, a fault', async () => {
    open();
    await caughtUp();
    const thread_id = 'th-1';
    server.say({ type: 'kernel.state', thread_id, state: 'idle' });
    server.say({ type: 'writer.lease', thread_id, holder: 'client-1' });
    server.say({ type: 'thread.fault', thread_id, code: 'disk', text: 'Full' });
    server.say({
      type: 'caught_up',
      thread_id,
      seq: 2,
      read_only: 'Another server has it.'
    });
    await until(() => thread.readOnly !== null, 'all was told');
    expect(thread.kernel?.state).toBe('idle');
    expect(thread.lease?.holder).toBe('client-1');
    expect(thread.readOnly).toBe('Another server has it.');
    expect(thread.fault?.text).toBe('Full');
    publish(stream.make('text.delta'));
    await reaches(3);
    expect(thread.fault).toBeNull();
  });

  it('is closed on the server when it is disposed of, once', async () => {
    const changed = jest.fn();
    open().changed.connect(changed);
    await caughtUp();
    thread.dispose();
    thread.dispose();
    await until(
      () => server.of('thread.close').length === 1,
      'it was closed on the server'
    );
    expect(frames).toEqual([]);
    publish(stream.make('text.delta'));
    await client.request({ type: 'thread.list' });
    expect(server.of('thread.close').length).toBe(1);
    expect(seq()).toBe(2);
  });

  it('that the server does not know says why', async () => {
    server.carryOut = () => {
      throw new Error('This thread was deleted.');
    };
    open();
    await until(() => thread.readOnly !== null, 'it was refused');
    expect(thread.readOnly).toBe('This thread was deleted.');
    expect([thread.state, thread.caughtUp]).toEqual([null, false]);
  });
});

describe('after a lost connection, a thread', () => {
  it('goes on from its last event', async () => {
    open();
    await caughtUp();
    server.say({ type: 'kernel.state', thread_id: 'th-1', state: 'idle' });
    server.say({ type: 'writer.lease', thread_id: 'th-1', holder: 'client-1' });
    await until(() => thread.lease !== null, 'the lease was told');
    server.drop();
    publish(stream.make('text.delta'));
    await until(() => !thread.caughtUp, 'the loss was seen');
    expect([thread.kernel, thread.lease]).toEqual([null, null]);
    await reaches(3);
    await caughtUp();
    expect(asked()).toEqual([0, 2]);
    expect(thread.state).toEqual(replay(stream.events));
  });

  it('is opened though the loss came before it was', async () => {
    server.answers = 'none';
    open();
    await until(() => asked().length === 1, 'it was asked for');
    server.answers = 'given';
    server.drop();
    await caughtUp();
    expect(thread.readOnly).toBeNull();
  });
});

describe('a thread that is shorter after a crash of the server than it was', () => {
  it('is what the server has', async () => {
    stream.make('text.delta');
    stream.make('text.delta');
    server.threads.set('th-1', [...stream.events]);
    open();
    await caughtUp();
    const less = new Stream().begin();
    server.threads.set('th-1', [...less.events]);
    server.drop();
    await reaches(2);
    await caughtUp();
    expect(thread.state).toEqual(replay(less.events));
    publish(less.make('notice'));
    await reaches(3);
    expect(thread.state).toEqual(replay(less.events));
  });
});

describe('a thread that misses an event', () => {
  it('asks for what it missed', async () => {
    open();
    await caughtUp();
    publish(stream.make('text.delta'), true);
    publish(stream.make('text.delta'));
    await reaches(4);
    await caughtUp();
    expect(asked()).toEqual([0, 2]);
    expect(thread.state).toEqual(replay(stream.events));
  });

  it('folds no event twice', async () => {
    open();
    await caughtUp();
    publish(stream.make('text.delta'));
    server.say(stream.events[2]);
    server.say(stream.events[0]);
    publish(stream.make('text.delta'));
    await reaches(4);
    expect(thread.state).toEqual(replay(stream.events));
    expect(asked()).toEqual([0]);
  });

  it('goes on from a snapshot that stands for it', async () => {
    open();
    await caughtUp();
    stream.make('text.delta');
    const state = JSON.parse(JSON.stringify(replay(stream.events))) as never;
    publish(stream.make('thread.snapshot', { state }));
    await reaches(4);
    expect(asked()).toEqual([0]);
  });

  it('says so when the event can not be had, instead of asking for ever', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    server.events('th-1').push({
      ...stream.make('text.delta'),
      type: 'thread.exploded'
    } as never);
    publish(stream.make('text.delta'));
    open();
    await until(() => thread.readOnly !== null, 'it gave up');
    expect(asked()).toEqual([0, 2]);
    expect(thread.readOnly).toContain("can't be read");
    expect(seq()).toBe(2);
    publish(stream.make('text.delta'));
    await client.request({ type: 'thread.list' });
    expect(asked()).toEqual([0, 2]);
    expect(seq()).toBe(2);
  });

  it('says so when an event can not be folded', async () => {
    const complain = jest.spyOn(console, 'error').mockReturnValue();
    open();
    await caughtUp();
    publish(stream.make('thread.snapshot', { state: {} }));
    await until(() => thread.readOnly !== null, 'it gave up');
    expect(complain).toHaveBeenCalled();
    expect(thread.state?.turns.length).toBe(1);
  });
});
