import { screen } from '@testing-library/react';

import { doing, Stage } from '../support/panel';
import { DF, holding } from '../support/variables';

const LOST = {
  reason: 'restarted' as const,
  lost: ['df', 'model'],
  lost_total: 2
};

/** The panel after the kernel lost its memory. */
function play(fields: object = {}): Stage {
  const stage = new Stage();
  stage.stream.begin().make('kernel.changed', { ...LOST, ...fields });
  stage.client.answers['variables.look'] = holding(DF);
  return stage.open().show();
}

const again = () =>
  doing(() => screen.getByRole('button', { name: 'Re-run my cells' }).click());
const line = () => document.querySelector('.jp-CaveLab-loss')?.textContent;

describe('Re-run my cells', () => {
  it('says before what it does', () => {
    play();
    const { title } = screen.getByRole('button', { name: 'Re-run my cells' });
    expect(title).toMatch('the cells of yours that had run');
  });

  it('says how many ran, and which of the lost variables are still missing', async () => {
    const stage = play();
    await again();
    expect(stage.notebooks.done).toEqual(['rerun a.ipynb']);
    expect(line()).toBe('2 cells of yours ran again. Still missing: model.');
  });

  it('says that all are back', async () => {
    play({ lost: ['df'], lost_total: 1 });
    await again();
    expect(line()).toMatch('All the lost variables are back.');
  });

  it('says that a cell stopped it', async () => {
    const stage = play();
    stage.notebooks.tally = { ran: 1, all: 3 };
    await again();
    expect(line()).toMatch(/^1 of 3 cells of yours ran again; the next one/);
  });

  it('says that there was nothing to run again', async () => {
    const stage = play();
    stage.notebooks.tally = { ran: 0, all: 0 };
    await again();
    expect(line()).toMatch(
      /^No cell of yours had run, so none was run again\./
    );
  });

  it('claims nothing about variables that can’t be seen', async () => {
    const stage = play();
    stage.client.answers['variables.look'] = 'The kernel is silent.';
    await again();
    expect(line()).toMatch(
      'Which of the lost variables are back can’t be seen.'
    );
  });

  it('is offered again where it could not begin', async () => {
    const stage = play();
    stage.notebooks.rerunMine = () => Promise.reject(new Error('Not open.'));
    await again();
    expect(stage.panel.sender.problem).toBe('Not open.');
    expect(
      screen.getByRole('button', { name: 'Re-run my cells' })
    ).toBeTruthy();
  });
});
