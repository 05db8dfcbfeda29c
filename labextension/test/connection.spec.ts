import { Connection } from '../src/connection';
import type { Event, Signal } from '../src/protocol/generated';
import type { CommandBody, Link } from '../src/state/client';
import { Stream } from './support/events';
import { HELLO, TestServer } from './support/server';
import { until } from './support/until';

const STOP: CommandBody = { type: 'turn.stop', thread_id: 'th-1' };
const SOON = { firstMs: 4, maxMs: 16, steadyMs: 10_000 };
/** Long enough that only a push makes it try again. */
const LATER = { ...SOON, firstMs: 60_000, maxMs: 60_000 };

let server: TestServer;
let connection: Connection;
let links: Link[];
let received: (Event | Signal)[];

function connect(retry = SOON): Connection {
  connection = new Connection({ settings: server.settings, retry });
  links = [];
  received = [];
  connection.linkChanged.connect((_, link) => links.push(link));
  connection.received.connect((_, frame) => received.push(frame));
  return connection;
}

const becomes = (kind: Link['kind']): Promise<void> =>
  until(() => connection.link.kind === kind, `the link is ${kind}`);

beforeEach(async () => {
  server = await TestServer.start();
});

afterEach(async () => {
  connection.dispose();
  await server.stop();
});

describe('the connection', () => {
  it('goes to the channel as JupyterLab does, with the token and the version', async () => {
    connect();
    await becomes('open');
    expect(server.urls).toEqual([
      '/base/cave-lab/channel?protocol=1&token=secret'
    ]);
    expect(connection.link).toEqual({ kind: 'open', hello: HELLO });
  });

  it('leaves the token out where the cookie goes along', async () => {
    const settings = { ...server.settings, appendToken: false };
    connection = new Connection({ settings });
    await becomes('open');
    expect(server.urls[0]).not.toContain('secret');
  });

  it('passes events and signals on in order', async () => {
    connect();
    await becomes('open');
    const events = new Stream().begin().events;
    events.forEach(event => server.say(event));
    const signal = { type: 'caught_up', thread_id: 'th-1', seq: 2 };
    server.say(signal);
    await until(() => received.length === 3, 'all frames came');
    expect(received).toEqual([...events, signal]);
  });

  it('says what it cannot read, and goes on', async () => {
    connect();
    await becomes('open');
    const complain = jest.spyOn(console, 'error').mockReturnValue();
    server.say('{"type":"thread.exploded"}');
    server.say(new Stream().make('thread.created'));
    await until(() => received.length === 1, 'the next frame came');
    expect(complain).toHaveBeenCalledWith(
      expect.stringContaining('thread.exploded')
    );
  });

  it('says when a frame of its own was not understood', async () => {
    connect();
    await becomes('open');
    const complain = jest.spyOn(console, 'error').mockReturnValue();
    server.say({
      type: 'command.rejected',
      command_id: null,
      code: 'malformed',
      message: 'That was no command.'
    });
    await until(() => complain.mock.calls.length > 0, 'it was said');
    expect(complain.mock.calls[0][0]).toContain('That was no command.');
  });
});

describe('a command', () => {
  it('gets its reply', async () => {
    server.carryOut = () => ({ type: 'turn', turn_id: 'turn-1' });
    connect();
    await expect(connection.request(STOP)).resolves.toEqual({
      type: 'turn',
      turn_id: 'turn-1'
    });
    expect(server.commands).toMatchObject([STOP]);
  });

  it('is rejected with the sentence of the server', async () => {
    server.carryOut = () => {
      throw new Error('No turn is running.');
    };
    connect();
    await expect(connection.request(STOP)).rejects.toMatchObject({
      name: 'CommandError',
      code: 'no',
      message: 'No turn is running.'
    });
  });

  it('waits for the connection', async () => {
    server.hello = null;
    server.http.set('GET /base/cave-lab/status', { status: 200, body: '{}' });
    connect();
    const reply = connection.request(STOP);
    await becomes('waiting');
    expect(server.commands).toEqual([]);
    server.hello = HELLO;
    await expect(reply).resolves.toBeNull();
  });

  it('that was unanswered goes out again under its id, and is carried out once', async () => {
    connect();
    await becomes('open');
    server.answers = 'none';
    const reply = connection.request(STOP);
    await until(() => server.commands.length === 1, 'the command came');
    server.answers = 'given';
    server.drop();
    await expect(reply).resolves.toBeNull();
    const [first, again] = server.commands;
    expect(again.command_id).toBe(first.command_id);
    expect(server.done).toEqual([first.command_id]);
  });

  it('whose reply got lost gets the same reply again', async () => {
    const result = { type: 'thread', thread_id: 'th-1' } as const;
    server.carryOut = () => result;
    server.answers = 'lost';
    connect();
    const reply = connection.request({ type: 'thread.create', target: {} });
    await until(() => server.done.length === 1, 'it was carried out');
    server.answers = 'given';
    server.drop();
    await expect(reply).resolves.toEqual(result);
    expect(server.done.length).toBe(1);
  });

  it('that the server closed the connection over is not sent again', async () => {
    connect();
    await becomes('open');
    server.answers = 'none';
    const reply = connection.request(STOP);
    await until(() => server.commands.length === 1, 'the command came');
    server.drop(1009);
    await expect(reply).rejects.toMatchObject({ code: 'refused' });
    server.answers = 'given';
    await connection.request({ ...STOP, thread_id: 'th-2' });
    expect(server.of('turn.stop').map(one => one.thread_id)).toEqual([
      'th-1',
      'th-2'
    ]);
  });

  it('is rejected when the connection is closed for good', async () => {
    connect();
    await becomes('open');
    server.answers = 'none';
    const reply = connection.request(STOP);
    connection.dispose();
    connection.dispose();
    await expect(reply).rejects.toMatchObject({ code: 'closed' });
    await expect(connection.request(STOP)).rejects.toMatchObject({
      code: 'closed'
    });
    await until(() => server.connections === 0, 'the server saw it close');
  });
});

describe('a lost connection', () => {
  it('is made again, counting the attempts', async () => {
    connect();
    await becomes('open');
    server.hello = null;
    server.http.set('GET /base/cave-lab/status', { status: 200, body: '{}' });
    server.drop();
    await until(
      () => links.some(link => link.kind === 'waiting' && link.attempt === 3),
      'three attempts failed'
    );
    server.hello = HELLO;
    await becomes('open');
  });

  it('is made again when the server asks to resume', async () => {
    connect();
    await becomes('open');
    server.drop(4001);
    await becomes('waiting');
    await becomes('open');
  });

  it('is made again at once when the network is back', async () => {
    connect(LATER);
    await becomes('open');
    server.drop();
    await becomes('waiting');
    window.dispatchEvent(new window.Event('online'));
    await becomes('open');
  });

  it('is made again at once when the page is looked at', async () => {
    connect(LATER);
    await becomes('open');
    server.drop();
    await becomes('waiting');
    document.dispatchEvent(new window.Event('visibilitychange'));
    await becomes('open');
  });
});

describe('a server of another version', () => {
  it('is not talked to, and not tried again', async () => {
    server.hello = { ...HELLO, protocol_version: 2 };
    connect();
    const reply = connection.request(STOP);
    await expect(reply).rejects.toMatchObject({ code: 'version' });
    expect(connection.link).toEqual({ kind: 'version', server: 2 });
    await until(() => server.connections === 0, 'the connection was closed');
    await expect(connection.request(STOP)).rejects.toThrow('Reload the page');
    window.dispatchEvent(new window.Event('online'));
    expect(connection.link.kind).toBe('version');
    expect(server.commands).toEqual([]);
  });

  it('may refuse this page by itself', async () => {
    connect();
    await becomes('open');
    server.drop(4002);
    await becomes('version');
  });
});

describe('a server that does not let the page in', () => {
  it('says so when it closes', async () => {
    connect();
    await becomes('open');
    server.drop(4003);
    await becomes('forbidden');
    await expect(connection.request(STOP)).rejects.toMatchObject({
      code: 'forbidden'
    });
  });

  it('is asked over HTTP when the handshake fails, and then left in peace', async () => {
    server.hello = null;
    server.http.set('GET /base/cave-lab/status', { status: 403, body: '{}' });
    connect();
    await becomes('forbidden');
    const attempts = server.urls.length;
    document.dispatchEvent(new window.Event('visibilitychange'));
    expect(connection.link.kind).toBe('forbidden');
    expect(server.urls.length).toBe(attempts);
  });

  it('is tried again when the person asks for it', async () => {
    connect();
    await becomes('open');
    server.drop(4003);
    await becomes('forbidden');
    connection.retry();
    await becomes('open');
  });
});
