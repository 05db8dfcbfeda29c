import type { ThreadSummary } from '../../src/protocol/generated';
import { LIMITS } from '../../src/state/limits';
import { TARGET } from '../support/events';
import { Stage } from '../support/panel';
import { until } from '../support/until';

function summary(
  thread_id: string,
  fields: Partial<ThreadSummary> = {}
): ThreadSummary {
  return {
    thread_id,
    title: thread_id,
    target: at('root-1', 'a.ipynb'),
    created: '2026-01-01T00:00:00Z',
    changed: '2026-01-01T00:00:00Z',
    last_seq: 1,
    running: false,
    usage: null,
    read_only: null,
    ...fields
  };
}

const at = (root_id: string, path: string) => ({
  ...TARGET,
  notebook: { root_id, path }
});

/** The threads that a page follows which has a.ipynb in front. */
async function followed(...threads: ThreadSummary[]): Promise<string[]> {
  const stage = new Stage();
  stage.client.answers['thread.list'] = { type: 'threads', threads };
  await stage.panel.start();
  await until(() => stage.panel.outlook.thread !== null, 'a thread is shown');
  return stage.client.of('thread.open').map(({ thread_id }) => thread_id);
}

describe('the watch over the notebook in front', () => {
  it('follows its older threads too, whose unsaved cells would be missing after a reload', async () => {
    const old = summary('old', { changed: '2025-12-31T00:00:00Z' });
    expect(await followed(summary('new'), old)).toEqual(['new', 'old']);
  });

  it('leaves threads of other notebooks, other roots and other servers alone', async () => {
    const others = [
      summary('path', { target: at('root-1', 'b.ipynb') }),
      summary('root', { target: at('root-2', 'a.ipynb') }),
      summary('server', { read_only: 'It runs on another server.' }),
      summary('none', { target: { ...TARGET, notebook: null } })
    ];
    expect(await followed(summary('here'), ...others)).toEqual(['here']);
  });

  it('follows no more than the last changed, and all that run', async () => {
    const many = Array.from(
      { length: LIMITS.notebookThreads + 2 },
      (_, index) => summary(`th-${index}`)
    );
    const running = summary('running', { running: true });
    const opened = await followed(...many, running);
    expect(opened).toEqual([
      ...many
        .slice(0, LIMITS.notebookThreads)
        .map(({ thread_id }) => thread_id),
      'running'
    ]);
  });
});
