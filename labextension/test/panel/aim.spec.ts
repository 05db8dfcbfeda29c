import type { Standing } from '../../src/panel/ports';
import { TARGET } from '../support/events';
import { Stage } from '../support/panel';

interface IPlay {
  readonly stage: Stage;
  /** The first cell of the notebook as it stands in this page. */
  show: (anchor: string) => void;
  /** The look at the file comes to an end. */
  settle: (standing: Standing) => void;
}

/** A thread whose notebook is being compared with its file. */
function play(): IPlay {
  const stage = new Stage();
  stage.stream.begin();
  stage.open();
  let anchor = 'old';
  let settle: IPlay['settle'] = () => undefined;
  const standing = new Promise<Standing>(resolve => {
    settle = resolve;
  });
  stage.notebooks.catchUp = () => standing;
  stage.notebooks.look = () => ({ target: TARGET, anchor });
  const show = (now: string) => {
    anchor = now;
  };
  return { stage, show, settle: how => settle(how) };
}

const sent = (stage: Stage) =>
  stage.client
    .of('message.send')
    .map(({ content, anchor }) => [content[0].type, anchor]);

describe('a message about a notebook whose file was changed in another tab', () => {
  it('tells of the notebook as it is once it was read again, in the order of Enter', async () => {
    const { stage, show, settle } = play();
    const { sender } = stage.panel;
    const both = [sender.send('one'), sender.run('two()')];
    expect(sent(stage)).toEqual([]);
    expect(sender.pending).toHaveLength(2);
    show('new');
    settle('level');
    await Promise.all(both);
    expect(sent(stage)).toEqual([
      ['text', 'new'],
      ['cell', 'new']
    ]);
    expect(sender.problem).toBeNull();
  });

  it('goes with what stands here where reading it would lose something, and says so', async () => {
    const { stage, settle } = play();
    const done = stage.panel.sender.send('one');
    settle('behind');
    await done;
    expect(sent(stage)).toEqual([['text', 'old']]);
    expect(stage.panel.sender.problem).toMatch(
      'CaveLab was told of it as it stands here.'
    );
    expect(stage.panel.drafts.text('th-1')).toBe('');
  });

  it('comes back into the field when Stop is pressed before it was read', async () => {
    const { stage, settle } = play();
    const done = stage.panel.sender.send('one');
    await stage.panel.sender.stop();
    settle('level');
    await done;
    expect(sent(stage)).toEqual([]);
    expect(stage.panel.drafts.text('th-1')).toBe('one');
  });
});
