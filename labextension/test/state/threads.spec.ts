import { Connection } from '../../src/connection';
import type { ThreadSummary } from '../../src/protocol/generated';
import { NO_USAGE } from '../../src/state/blank';
import { ThreadList, type IMemory } from '../../src/state/threads';
import { TARGET } from '../support/events';
import { TestServer } from '../support/server';
import { until } from '../support/until';

const OTHER = { ...TARGET, notebook: { ...TARGET.notebook!, path: 'b.ipynb' } };
const UNNAMED = '';

let server: TestServer;
let client: Connection;
let threads: ThreadList;
let stored: Map<string, string>;

function summary(
  thread_id: string,
  day: number,
  target = TARGET
): ThreadSummary {
  return {
    thread_id,
    title: UNNAMED,
    target,
    created: '2026-01-01T00:00:00Z',
    changed: `2026-01-0${day}T00:00:00Z`,
    last_seq: 1,
    running: false,
    usage: NO_USAGE,
    read_only: null
  };
}

/** What the server lists, by the path that is asked for. */
let listed: Record<string, ThreadSummary[]>;

beforeEach(async () => {
  server = await TestServer.start();
  listed = {
    'a.ipynb': [
      summary('th-old', 1),
      summary('th-new', 2),
      summary('th-other', 3, OTHER)
    ],
    'b.ipynb': [summary('th-other', 3, OTHER)]
  };
  server.carryOut = command => {
    if (command.type === 'thread.list') {
      return { type: 'threads', threads: listed[command.path ?? ''] ?? [] };
    }
    return command.type === 'thread.create'
      ? { type: 'thread', thread_id: 'th-made' }
      : null;
  };
  client = new Connection({ settings: server.settings });
  stored = new Map();
  threads = new ThreadList(client, memory());
});

afterEach(async () => {
  threads.dispose();
  threads.dispose();
  client.dispose();
  await server.stop();
});

function memory(): IMemory {
  return {
    get: key => Promise.resolve(stored.get(key) ?? null),
    set: (key, value) => {
      stored.set(key, value);
      return Promise.resolve();
    }
  };
}

describe('the threads of a notebook', () => {
  it('are what the server lists, the newest of its own being current', async () => {
    const changed = jest.fn();
    threads.changed.connect(changed);
    await threads.refresh('a.ipynb');
    expect(threads.path).toBe('a.ipynb');
    expect(threads.threads).toEqual(listed['a.ipynb']);
    expect(threads.current).toBe('th-new');
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('have no current one without a thread of its own', async () => {
    listed['a.ipynb'] = [summary('th-other', 3, OTHER)];
    await threads.refresh('a.ipynb');
    expect(threads.current).toBeNull();
    await threads.refresh(null);
    expect(threads.current).toBeNull();
  });

  it('do not include one of the same path under another root', async () => {
    const notebook = { root_id: 'root-2', path: 'a.ipynb' };
    const foreign = { ...TARGET, notebook };
    listed['a.ipynb'] = [summary('th-foreign', 3, foreign), summary('th', 1)];
    stored.set('cave-lab:thread:a.ipynb@root-1', 'th-foreign');
    await until(() => client.rootId === 'root-1', 'the server said its root');
    await threads.refresh('a.ipynb');
    expect(threads.threads).toHaveLength(2);
    expect(threads.current).toBe('th');
    await threads.select('th');
    expect([...stored]).toEqual([['cave-lab:thread:a.ipynb@root-1', 'th']]);
  });

  it('begin where the notebook was left, also on another page', async () => {
    await threads.refresh('a.ipynb');
    await threads.select('th-old');
    expect(threads.current).toBe('th-old');
    await threads.refresh('b.ipynb');
    expect(threads.current).toBe('th-other');
    threads.dispose();
    threads = new ThreadList(client, memory());
    await threads.refresh('a.ipynb');
    expect(threads.current).toBe('th-old');
  });

  it('forget a thread that is gone', async () => {
    await threads.refresh('a.ipynb');
    await threads.select('th-old');
    listed['a.ipynb'] = [summary('th-new', 2)];
    await threads.refresh();
    expect(threads.current).toBe('th-new');
  });

  it('are those of the notebook that was asked for last', async () => {
    let remember: (id: string | null) => void = () => undefined;
    const slow = new Promise<string | null>(resolve => (remember = resolve));
    const quick = memory();
    threads.dispose();
    threads = new ThreadList(client, {
      ...quick,
      get: key => (key.endsWith('a.ipynb') ? slow : quick.get(key))
    });
    const first = threads.refresh('a.ipynb');
    await threads.refresh('b.ipynb');
    remember('th-old');
    await first;
    expect(threads.path).toBe('b.ipynb');
    expect(threads.threads).toEqual(listed['b.ipynb']);
  });
});

describe('a new thread', () => {
  it('is the current one of its notebook', async () => {
    await threads.refresh('a.ipynb');
    const made = await threads.create(TARGET, { mode: 'chat' });
    expect(made).toBe('th-made');
    expect(threads.current).toBe('th-made');
    expect(server.of('thread.create')).toMatchObject([
      { target: TARGET, settings: { mode: 'chat' } }
    ]);
    expect([...stored.values()]).toEqual(['th-made']);
  });

  it('of another notebook leaves the current one alone', async () => {
    await threads.refresh('a.ipynb');
    await threads.create(OTHER);
    expect(threads.current).toBe('th-new');
    listed['b.ipynb'].push(summary('th-made', 1, OTHER));
    await threads.refresh('b.ipynb');
    expect(threads.current).toBe('th-made');
  });

  it('is not made up when the server answers something else', async () => {
    server.carryOut = () => null;
    await expect(threads.create(TARGET)).rejects.toMatchObject({
      code: 'unexpected_reply'
    });
  });
});
