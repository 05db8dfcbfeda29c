import { Stage } from '../support/panel';

function asked(): Stage {
  const stage = new Stage();
  stage.stream.begin();
  stage.stream.make('run.proposed');
  stage.stream.make('approval.requested');
  return stage.open();
}

const run = (stage: Stage) => stage.panel.outlook.state!.runs['run-1'];

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
