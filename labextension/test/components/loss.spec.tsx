import { screen } from '@testing-library/react';

import { doing, Stage } from '../support/panel';
import { DF, holding } from '../support/variables';

const LOST = {
  reason: 'restarted' as const,
  lost: ['df', 'model'],
  lost_total: 2
};

/** The panel after the kernel lost its memory; cells that run from now on make `df`. */
async function play(fields: object = {}): Promise<Stage> {
  const stage = new Stage();
  stage.stream.begin().make('kernel.changed', { ...LOST, ...fields });
  stage.client.answers['variables.look'] = holding();
  await doing(() => stage.open().show());
  stage.client.answers['variables.look'] = holding(DF);
  return stage;
}

async function again(stage: Stage): Promise<void> {
  await doing(() =>
    screen.getByRole('button', { name: 'Re-run my cells' }).click()
  );
  await doing(() => stage.kernel({ state: 'busy', whose: 'theirs' }));
}
const line = () => document.querySelector('.jp-CaveLab-loss')?.textContent;
const open = () =>
  document.querySelector('.jp-CaveLab-loss[role="group"]')?.textContent;

describe('what was lost', () => {
  it('is counted and named', async () => {
    await play();
    expect(line()).toMatch(
      /^Memory lost at .*: 2 variables are gone\.df, modelRe-run/
    );
  });

  it('is less once cells that ran elsewhere made some of it again', async () => {
    const stage = await play();
    await doing(() => stage.kernel({ state: 'busy', whose: 'theirs' }));
    expect(line()).toMatch(/: 1 variable is gone\.modelRe-run/);
  });

  it('is nothing any more once all of it exists again', async () => {
    const stage = await play({ lost: ['df'], lost_total: 1 });
    expect(line()).toMatch('1 variable is gone');
    await doing(() => stage.kernel({ state: 'busy', whose: 'theirs' }));
    expect(line()).toBeUndefined();
  });

  it('is not called gone where nobody knows what there was', async () => {
    await play({ lost: [], lost_total: null });
    expect(line()).toMatch(
      /^Memory lost at .*\. Which variables it held is not known\.Re-run/
    );
  });

  it('is told calmly of a kernel that was shut down, without a step that needs one', async () => {
    const stage = await play({ reason: 'shut_down', generation: null });
    await doing(() => stage.kernel({ state: 'none', kernel_id: null }));
    expect(line()).toMatch(
      /^The kernel was shut down at .*: 2 variables are gone\.df, modelContinue without$/
    );
    expect(
      screen.getByRole('button', { name: 'Start the kernel' })
    ).toBeTruthy();
  });
});

describe('Re-run my cells', () => {
  it('says before what it does', async () => {
    await play();
    const { title } = screen.getByRole('button', { name: 'Re-run my cells' });
    expect(title).toMatch('the cells of yours that had run');
  });

  it('says how many ran, and which of the lost variables are still missing', async () => {
    const stage = await play();
    await again(stage);
    expect(stage.notebooks.done).toEqual(['rerun a.ipynb']);
    expect(line()).toBe('2 cells of yours ran again.');
    expect(open()).toMatch(/: 1 variable is gone\.modelRe-run/);
  });

  it('has nothing more to say of variables once all are back', async () => {
    const stage = await play({ lost: ['df'], lost_total: 1 });
    await again(stage);
    expect(line()).toBe('2 cells of yours ran again.');
    expect(open()).toBeUndefined();
  });

  it('says that a cell stopped it', async () => {
    const stage = await play();
    stage.notebooks.tally = { ran: 1, all: 3 };
    await again(stage);
    expect(line()).toBe(
      '1 of 3 cells of yours ran again, and it stopped there.'
    );
    expect(open()).toMatch('Re-run my cells');
  });

  it('says that there was nothing to run again', async () => {
    const stage = await play();
    stage.notebooks.tally = { ran: 0, all: 0 };
    await again(stage);
    expect(line()).toMatch(
      /^No cell of yours had run, so none was run again\./
    );
  });

  it('is offered again where it could not begin', async () => {
    const stage = await play();
    stage.notebooks.rerunMine = () => Promise.reject(new Error('Not open.'));
    await again(stage);
    expect(stage.panel.sender.problem).toBe('Not open.');
    expect(
      screen.getByRole('button', { name: 'Re-run my cells' })
    ).toBeTruthy();
  });
});
