import { type RunStatus } from '../../labextension/src/protocol/generated';
import { type Lab } from '../support/lab';
import { type ScriptedModel } from '../support/model';
import { asked, cell, say, told, waitsFor } from '../support/script';
import { expect, test } from '../support/test';

const LOST = 'The kernel lost its memory in this turn.';

/** A run that has begun and waits for a file that never comes. */
async function beginRun(lab: Lab, model: ScriptedModel): Promise<void> {
  await model.play(
    asked(
      'wait',
      cell('Wait', 'print("begun", flush=True)', ...waitsFor('never'))
    ),
    asked('and now', say('The variables are gone, as I was told.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('wait');
  await expect(lab.panel.card('Wait')).toContainText('begun');
}

/** The loss is said, the model hears of it, and the person can go on. */
async function expectLossTold(
  lab: Lab,
  model: ScriptedModel,
  status: RunStatus
): Promise<void> {
  await lab.journal.turnsEnded('kernel_lost');
  expect(await lab.journal.runStatuses()).toEqual([status]);
  await expect(lab.panel.transcript).toContainText(LOST);
  await expect(lab.panel.root).toContainText('Memory lost at');
  await expect(lab.panel.root).toContainText('mine');
  await lab.panel.stands('Wait', 'kernel lost');
  await expect(lab.panel.binding).toContainText('idle');
  await lab.panel.composer.click();
  await lab.panel.say('and now');
  await expect(lab.panel.transcript).toContainText('as I was told');
  const asked = (await model.requests()).at(-1)!;
  expect(JSON.stringify(asked.body.messages)).toContain('lost its memory');
  const [mine, made, ...more] = await lab.saved();
  expect([mine.id, mine.source, ...more]).toEqual(['mine-0', 'mine = 1']);
  expect(made.text).toContain('begun\n');
  expect(made.mark).toMatchObject({ status });
}

test('a kernel that dies in mid-run is said to be lost, and the thread goes on', async ({
  lab,
  model
}) => {
  await beginRun(lab, model);
  await lab.killKernel();
  await lab.journal.turnsEnded('kernel_lost');
  await lab.page.screenshot({ path: 'screenshots/kernel-lost.png' });
  // JupyterLab tells of the death too, in a dialog of its own.
  await lab.page.locator('.jp-Dialog .jp-mod-accept').click();
  await expectLossTold(lab, model, 'kernel_died');
});

test('a kernel that the person restarts in mid-run ends the run as such', async ({
  lab,
  model
}) => {
  await beginRun(lab, model);
  const [session] = await lab.jupyter.sessions(lab.folder);
  await lab.jupyter.restartKernel(session.kernel.id);
  await expectLossTold(lab, model, 'kernel_restarted');
});

test('Re-run my cells brings the variables back', async ({ lab, model }) => {
  await beginRun(lab, model);
  const [session] = await lab.jupyter.sessions(lab.folder);
  await lab.jupyter.restartKernel(session.kernel.id);
  await lab.journal.turnsEnded('kernel_lost');
  await expect(lab.panel.binding).toContainText('idle');
  const ran = lab.document.cells.first().locator('.jp-InputPrompt');
  await lab.panel.root
    .getByRole('button', { name: 'Re-run my cells' })
    .first()
    .click();
  await expect(ran).toHaveText('[1]:');
  await expect(lab.panel.root).toContainText('1 cell of yours ran again.');
  await lab.panel.root.getByRole('button', { name: 'variable' }).click();
  await expect(lab.panel.root.getByRole('table')).toContainText('mine');
  const [mine, made] = await lab.saved();
  expect([mine.count, made.mark?.status]).toEqual([1, 'kernel_restarted']);
});

test('a kernel restarted while a cell waits for an answer closes the question', async ({
  lab,
  model
}) => {
  await model.play(asked('make x', cell('Make x', 'x = 1')));
  await lab.begin('mine = 1');
  await lab.panel.say('make x');
  await lab.panel.proposed('Make x');
  const [session] = await lab.jupyter.sessions(lab.folder);
  await lab.jupyter.restartKernel(session.kernel.id);
  await lab.journal.turnsEnded('kernel_lost');
  await expect(lab.panel.proposal).toHaveCount(0);
  await expect(lab.panel.transcript).toContainText('Nothing was run');
  expect(await lab.journal.runStatuses()).toEqual(['not_run']);
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});

test('10 MB of print stay bounded in the notebook, the panel and the model', async ({
  lab,
  model
}) => {
  const lines = [
    'for n in range(100_000):',
    '    print(f"{n:06d} " + "x" * 93)'
  ];
  await model.play(
    asked('print much', cell('Print much', ...lines)),
    told(['000000 x', '099999 x', 'are not shown'], say('I saw both ends.'))
  );
  await lab.begin();
  await lab.panel.setMode('Auto');
  await lab.panel.say('print much');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('I saw both ends.');
  const [run] = await lab.journal.all('run.ended');
  expect(run.status).toBe('ok');
  expect(await lab.journal.all('output.truncated')).toHaveLength(1);
  await expect(lab.document.cells.last()).toContainText('099999 x');
  const made = (await lab.saved()).find(one => one.mark);
  expect(made!.text.length).toBeLessThan(400_000);
  expect(made!.text.length).toBeGreaterThan(50_000);
  const asking = (await model.requests()).at(-1)!;
  expect(JSON.stringify(asking.body).length).toBeLessThan(40_000);
});
