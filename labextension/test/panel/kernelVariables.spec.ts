import type { Result, VariablesResult } from '../../src/protocol/generated';
import { Stage } from '../support/panel';
import { DF, holding, variable } from '../support/variables';

function begun(): Stage {
  const stage = new Stage();
  stage.stream.begin();
  return stage.open();
}

/** Answers to looks, to be given by the test in any order. */
function slowly(stage: Stage): ((seen: VariablesResult) => void)[] {
  const gives: ((seen: VariablesResult) => void)[] = [];
  Object.defineProperty(stage.client.answers, 'variables.look', {
    get: () => new Promise<Result>(resolve => gives.push(resolve))
  });
  return gives;
}

const looks = (stage: Stage) => stage.client.of('variables.look').length;

describe('the variables in the kernel', () => {
  it('are looked at in the thread shown, and kept until another look', async () => {
    const stage = begun();
    stage.client.answers['variables.look'] = holding(DF);
    expect(stage.panel.variables.seen).toBeNull();
    await stage.panel.variables.look();
    expect(stage.client.of('variables.look')).toMatchObject([
      { thread_id: 'th-1' }
    ]);
    expect(stage.panel.variables.seen).toEqual(holding(DF));
  });

  it('are looked at in the notebook in front before a thread begins there', async () => {
    const stage = new Stage();
    stage.client.answers['target.look'] = holding(DF);
    await stage.panel.variables.look();
    expect(stage.client.of('target.look')).toMatchObject([
      { target: { notebook: { path: 'a.ipynb' } } }
    ]);
    expect(stage.panel.variables.seen?.total).toBe(1);
    stage.notebooks.front = { ...stage.notebooks.front!, path: 'b.ipynb' };
    expect(stage.panel.variables.seen).toBeNull();
  });

  it('are of no notebook where none is open', async () => {
    const stage = new Stage();
    stage.notebooks.front = null;
    const seen = await stage.panel.variables.look();
    expect(seen.unavailable).toBe('No notebook is open.');
    expect(stage.client.sent).toEqual([]);
  });

  it('are none, with the sentence that says why, when the look is refused', async () => {
    const stage = begun();
    stage.client.answers['variables.look'] = 'The thread is gone.';
    const seen = await stage.panel.variables.look();
    expect(seen).toEqual({ ...holding(), unavailable: 'The thread is gone.' });
  });

  it('are those of the latest look, whichever is answered first', async () => {
    const stage = begun();
    const gives = slowly(stage);
    const first = stage.panel.variables.look();
    const second = stage.panel.variables.look();
    gives[1](holding(DF, variable('x')));
    gives[0](holding(DF));
    await Promise.all([first, second]);
    expect(stage.panel.variables.seen?.total).toBe(2);
  });

  it('are asked for again by a message that names one not known', async () => {
    const stage = begun();
    stage.client.answers['variables.look'] = holding(DF);
    const { variables } = stage.panel;
    expect(await variables.read('plot it', 'th-1')).toEqual([
      { type: 'text', text: 'plot it' }
    ]);
    expect(looks(stage)).toBe(0);
    const mention = { type: 'mention', kind: 'variable', name: 'df' };
    expect(await variables.read('@df', 'th-1')).toEqual([mention]);
    expect(await variables.read('@df', 'th-1')).toEqual([mention]);
    expect(looks(stage)).toBe(1);
    expect(await variables.read('@new', 'th-1')).toEqual([
      { type: 'text', text: '@new' }
    ]);
    expect(looks(stage)).toBe(2);
  });

  it('may have any plain name where not all of them are told', async () => {
    const stage = begun();
    const seen = { ...holding(DF), total: 501 };
    stage.client.answers['variables.look'] = seen;
    const read = (text: string) => stage.panel.variables.read(text, 'th-1');
    const mention = (name: string) => ({
      type: 'mention',
      kind: 'variable',
      name
    });
    expect(await read('@zeta.shape')).toEqual([
      mention('zeta'),
      { type: 'text', text: '.shape' }
    ]);
    expect(await read('@df.shape')).toEqual([
      mention('df'),
      { type: 'text', text: '.shape' }
    ]);
    expect(await read('@zetaの和')).toEqual([
      mention('zeta'),
      { type: 'text', text: 'の和' }
    ]);
  });

  it('of another thread are not taken for those of this one', async () => {
    const stage = begun();
    stage.client.answers['variables.look'] = holding(DF);
    await stage.panel.variables.look('th-2');
    expect(stage.panel.variables.seen).toBeNull();
    await stage.panel.variables.read('@df', 'th-1');
    expect(looks(stage)).toBe(2);
  });
});
