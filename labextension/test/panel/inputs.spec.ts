import { type AskingRun, asks } from '../../src/panel/inputs';
import { Stage } from '../support/panel';

function asked(): Stage {
  const stage = new Stage();
  stage.stream.begin().send('run-1');
  stage.stream.make('run.started');
  stage.stream.make('stdin.requested');
  return stage.open();
}

function run(stage: Stage): AskingRun {
  const found = stage.panel.outlook.state!.runs['run-1'];
  if (!asks(found)) {
    throw new Error('The run does not ask.');
  }
  return found;
}

describe('what is typed for a cell that asks', () => {
  it('is sent once, for the question that was shown', async () => {
    const stage = asked();
    const { inputs } = stage.panel;
    inputs.setText(run(stage), 'Ada');
    await inputs.send('th-1', run(stage));
    await inputs.send('th-1', run(stage));
    expect(stage.client.of('stdin.answer')).toEqual([
      {
        type: 'stdin.answer',
        thread_id: 'th-1',
        run_id: 'run-1',
        question: 1,
        value: 'Ada'
      }
    ]);
    expect(inputs.of(run(stage))).toEqual({ kind: 'sent' });
  });

  it('may be empty', async () => {
    const stage = asked();
    await stage.panel.inputs.send('th-1', run(stage));
    expect(stage.client.of('stdin.answer')).toMatchObject([{ value: '' }]);
  });

  it('is kept, and can be sent again, if the server does not take it', async () => {
    const stage = asked();
    const { inputs } = stage.panel;
    inputs.setText(run(stage), 'Ada');
    stage.client.answers['stdin.answer'] = 'The cell does not wait.';
    await inputs.send('th-1', run(stage));
    expect(inputs.of(run(stage))).toEqual({
      kind: 'refused',
      sentence: 'The cell does not wait.'
    });
    expect(inputs.text(run(stage))).toBe('Ada');
    stage.client.answers['stdin.answer'] = undefined;
    await inputs.send('th-1', run(stage));
    expect(stage.client.of('stdin.answer')).toHaveLength(2);
  });

  it('is not the answer to the next question', async () => {
    const stage = asked();
    const { inputs } = stage.panel;
    inputs.setText(run(stage), 'Ada');
    await inputs.send('th-1', run(stage));
    stage.stream.make('stdin.closed');
    stage.stream.make('stdin.requested', { question: 2 });
    stage.tell();
    expect(inputs.text(run(stage))).toBe('');
    expect(inputs.of(run(stage))).toBeNull();
  });

  it('is stored nowhere', async () => {
    const stage = asked();
    stage.panel.inputs.setText(run(stage), 'canary-password');
    window.dispatchEvent(new Event('pagehide'));
    stage.panel.drafts.dispose();
    expect(JSON.stringify(await stage.db.toJSON())).not.toContain('canary');
  });
});

describe('a run', () => {
  it('asks no more when it has ended', () => {
    const stage = asked();
    const before = run(stage);
    stage.stream.make('run.ended');
    stage.tell();
    expect(asks(before)).toBe(true);
    expect(asks(stage.panel.outlook.state!.runs['run-1'])).toBe(false);
    expect(asks({ ...before, phase: 'ended' })).toBe(false);
  });
});
