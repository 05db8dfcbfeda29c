import { Stage } from '../support/panel';

function asked(): Stage {
  const stage = new Stage();
  stage.stream.begin();
  stage.stream.make('run.proposed');
  stage.stream.make('approval.requested');
  return stage.open();
}

const run = (stage: Stage) => stage.panel.outlook.state!.runs['run-1'];

describe('the reason for a rejection', () => {
  it('is still there after a reload', async () => {
    const stage = asked();
    stage.panel.answers.setReason(run(stage), 'keep it');
    window.dispatchEvent(new Event('pagehide'));
    const other = stage.makePanel();
    await other.drafts.load();
    expect(other.answers.reason(run(stage))).toBe('keep it');
    other.dispose();
  });

  it('is not lost when the question is closed without it', async () => {
    const stage = asked();
    const { answers } = stage.panel;
    answers.setReason(run(stage), 'keep it');
    expect(answers.lostReason(run(stage))).toBeNull();
    stage.client.answers['approval.answer'] = 'No longer waiting.';
    await answers.reject('th-1', run(stage), 'keep it');
    stage.stream.make('approval.closed', { outcome: 'cancelled' });
    stage.tell();
    expect(answers.lostReason(run(stage))).toBe('keep it');
  });

  it('is put away once it was taken', async () => {
    const stage = asked();
    const { answers } = stage.panel;
    answers.setReason(run(stage), 'keep it');
    await answers.reject('th-1', run(stage), 'keep it');
    expect(answers.reason(run(stage))).toBe('');
  });
});

describe('an edit of a proposed cell', () => {
  it('is still there after a reload', async () => {
    const stage = asked();
    stage.panel.answers.setEdit(run(stage), 'x = 2');
    window.dispatchEvent(new Event('pagehide'));
    const other = stage.makePanel();
    await other.drafts.load();
    expect(other.answers.edit(run(stage))).toBe('x = 2');
    other.dispose();
  });

  it('may take out everything', () => {
    const stage = asked();
    stage.panel.answers.setEdit(run(stage), '');
    expect(stage.panel.answers.edit(run(stage))).toBe('');
  });

  it('is not lost when the question is closed without it', () => {
    const stage = asked();
    const { answers } = stage.panel;
    answers.setEdit(run(stage), 'x = 2');
    expect(answers.lostEdit(run(stage))).toBeNull();
    stage.stream.make('approval.closed', { outcome: 'cancelled' });
    stage.tell();
    expect(answers.lostEdit(run(stage))).toBe('x = 2');
  });

  it('is put away once it has been answered', async () => {
    const stage = asked();
    const { answers } = stage.panel;
    answers.setEdit(run(stage), 'x = 2');
    await answers.run('th-1', run(stage), 'once');
    expect(answers.edit(run(stage))).toBeNull();
  });
});
