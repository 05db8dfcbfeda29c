import { UNDECIDED } from '../../src/panel/modelDraft';
import type { ThreadSummary } from '../../src/protocol/generated';
import { TARGET } from '../support/events';
import { Stage, STATUS } from '../support/panel';
import { until } from '../support/until';

function summary(
  thread_id: string,
  path: string,
  running = false
): ThreadSummary {
  return {
    thread_id,
    title: thread_id,
    target: { ...TARGET, notebook: { root_id: '', path } },
    created: '2026-01-01T00:00:00Z',
    changed: '2026-01-01T00:00:00Z',
    last_seq: 1,
    running,
    usage: null,
    read_only: null
  };
}

const opened = (stage: Stage) =>
  stage.client.of('thread.open').map(command => command.thread_id);

describe('the panel', () => {
  it('shows the thread that the notebook in front was left with, and follows all that run', async () => {
    const stage = new Stage();
    stage.client.answers['thread.list'] = {
      type: 'threads',
      threads: [
        summary('here', 'a.ipynb'),
        summary('idle', 'b.ipynb'),
        summary('busy', 'c.ipynb', true)
      ]
    };
    await stage.panel.start();
    await until(() => stage.panel.outlook.thread !== null, 'a thread is shown');
    expect(stage.panel.outlook.thread!.threadId).toBe('here');
    expect(opened(stage)).toEqual(['here', 'busy']);
  });

  it('shows after a reload what it showed before', async () => {
    const stage = new Stage().open();
    const other = stage.makePanel();
    await other.start();
    expect(other.outlook.thread!.threadId).toBe('th-1');
    other.dispose();
  });

  it('does not show what it showed with another root', async () => {
    const stage = new Stage().open();
    const other = stage.makePanel();
    Object.assign(stage.client, { rootId: 'root-2' });
    await other.start();
    expect(other.outlook.thread).toBeNull();
    other.dispose();
  });

  it('keeps following a thread that is shown no longer', () => {
    const stage = new Stage().open();
    stage.panel.shown.begin();
    expect(stage.client.of('thread.close')).toEqual([]);
    stage.panel.shown.open('th-1');
    expect(opened(stage)).toEqual(['th-1']);
  });

  it('begins another thread when the one shown is deleted', async () => {
    const stage = new Stage().open();
    stage.client.answers['thread.list'] = { type: 'threads', threads: [] };
    await stage.panel.remove('th-1');
    expect(stage.panel.outlook.thread).toBeNull();
    expect(stage.client.sent.map(command => command.type)).toContain(
      'thread.delete'
    );
  });

  it('makes one thread of two messages sent at once', async () => {
    const stage = new Stage();
    stage.client.answers['thread.create'] = {
      type: 'thread',
      thread_id: 'th-1'
    };
    await Promise.all([
      stage.panel.sender.send('one'),
      stage.panel.sender.send('two')
    ]);
    expect(stage.client.of('thread.create')).toHaveLength(1);
    expect(stage.client.of('message.send')).toHaveLength(2);
  });

  it('sends nothing after Stop while its thread is still being made, and keeps the text', async () => {
    const stage = new Stage();
    stage.client.answers['thread.create'] = {
      type: 'thread',
      thread_id: 'th-1'
    };
    const sent = stage.panel.sender.send('one');
    await stage.panel.sender.stop();
    await sent;
    expect(stage.client.of('message.send')).toEqual([]);
    expect(stage.panel.drafts.text('th-1')).toBe('one');
  });

  it('shows in the settings what a turn has just learned of a model', async () => {
    const stage = new Stage();
    await stage.panel.server.load();
    const learned = {
      model: 'some/model',
      api_base: null,
      options: UNDECIDED,
      learned: {
        format: 'fences' as const,
        reason: 'tools_refused' as const,
        at: '2026-01-01T00:00:00Z'
      }
    };
    stage.api.status = () =>
      Promise.resolve({ ...STATUS, memories: [learned] });
    stage.panel.setView('settings');
    await Promise.resolve();
    await Promise.resolve();
    expect(stage.panel.server.status?.memories).toEqual([learned]);
  });

  it('goes through the tour in a notebook of its own, up to what can be asked', async () => {
    const stage = new Stage();
    stage.api.startTour = () =>
      Promise.resolve({
        path: 'tour.ipynb',
        model: STATUS.tour_model,
        prompts: ['Continue', 'Plot it']
      });
    await stage.panel.server.load();
    await stage.panel.startTour();
    expect(stage.notebooks.done).toEqual([
      'open tour.ipynb',
      'start tour.ipynb',
      'run tour.ipynb'
    ]);
    expect(stage.panel.tour.prompts).toEqual(['Continue', 'Plot it']);
    expect(stage.panel.outlook.scripted).toBe(true);
    expect(stage.panel.outlook.mode).toBe('review');
  });

  it('says why the tour did not begin', async () => {
    const stage = new Stage();
    stage.api.startTour = () =>
      Promise.reject(new Error('No room on the disk.'));
    await stage.panel.startTour();
    expect(stage.panel.sender.problem).toBe('No room on the disk.');
  });

  it('runs the cell that waits, not one that an earlier turn left unanswered', async () => {
    const stage = new Stage();
    const { stream, panel, client } = stage;
    stream.begin();
    stream.make('run.proposed');
    stream.make('approval.requested');
    stream.make('turn.ended', { stop_reason: 'interrupted' });
    stage.open();
    expect(panel.canRunProposed).toBe(false);
    stream.make('turn.started', { turn_id: 'turn-2' });
    stream.make('run.proposed', { turn_id: 'turn-2', run_id: 'run-2' });
    stream.make('approval.requested', { run_id: 'run-2', approval_id: 'ap-2' });
    stage.tell();
    await panel.runProposed();
    const answers = client.of('approval.answer');
    expect(answers.map(answer => answer.approval_id)).toEqual(['ap-2']);
  });

  it('may be disposed twice', () => {
    const { panel } = new Stage().open();
    panel.dispose();
    panel.dispose();
    expect(panel.isDisposed).toBe(true);
  });
});
