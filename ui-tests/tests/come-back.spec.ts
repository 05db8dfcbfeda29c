import { type Browser } from '@playwright/test';

import { command } from '../support/command';
import { type Lab } from '../support/lab';
import { type ScriptedModel } from '../support/model';
import { asked, cell, say, told, waitsFor } from '../support/script';
import { expect, test } from '../support/test';

const LINES = [
  'print("one", flush=True)',
  ...waitsFor('go'),
  'print("two")',
  'made = 2'
];

/** A run that has said one thing and waits for the test; nothing has been saved. */
async function beginRun(lab: Lab, model: ScriptedModel): Promise<void> {
  await model.play(
    asked('go on', say('I begin.'), cell('Wait in between', ...LINES)),
    told('two', say('All done.'))
  );
  await lab.begin('start = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('go on');
  await expect(lab.panel.card('Wait in between')).toContainText('one');
}

/** The run goes on to its end, and everything is there. */
async function finishRun(lab: Lab): Promise<void> {
  const { panel, journal } = lab;
  await expect(panel.transcript).toContainText('go on');
  await expect(panel.transcript).toContainText('I begin.');
  await expect(panel.card('Wait in between')).toContainText('one');
  await panel.stands('Wait in between', 'running');
  await lab.letGo('go');
  await journal.turnsEnded('end_turn');
  await expect(panel.card('Wait in between')).toContainText('two');
  await expect(panel.transcript).toContainText('All done.');

  const cells = await lab.saved();
  expect(cells.map(one => one.source)).toEqual(['start = 1', LINES.join('\n')]);
  expect(cells[1].text).toBe('one\ntwo\n');
  const [ended] = await journal.all('run.ended');
  expect(cells[1].count).toBe(ended.execution_count);
  expect(cells[1].mark).toMatchObject({ run: ended.run_id, status: 'ok' });
  expect(await journal.runStatuses()).toEqual(['ok']);
}

/** A browser that was signed in before, opened anew. */
async function newPage(browser: Browser, lab: Lab): Promise<Lab> {
  const context = await browser.newContext({ storageState: lab.home.cookies });
  return lab.at(await context.newPage());
}

test('the run goes on through a reload, and its cell and transcript are there', async ({
  lab,
  model
}) => {
  await beginRun(lab, model);
  await lab.document.reload();
  await lab.panel.open();
  await lab.page.screenshot({ path: 'screenshots/reloaded.png' });
  await finishRun(lab);
});

test('the run goes on while the browser is closed, and all is there afterwards', async ({
  lab,
  model,
  browser
}) => {
  await beginRun(lab, model);
  await lab.page.context().close();
  const back = await newPage(browser, lab);
  await back.comeBack();
  await finishRun(back);
  await back.page.context().close();
});

test('a run that ends while the browser is closed leaves its cell all the same', async ({
  lab,
  model,
  browser
}) => {
  await beginRun(lab, model);
  await lab.page.context().close();
  await lab.letGo('go');
  await lab.journal.turnsEnded('end_turn');
  const back = await newPage(browser, lab);
  await back.comeBack();
  await expect(back.panel.transcript).toContainText('All done.');
  await expect(back.document.cells.nth(1)).toContainText('two');
  const cells = await back.saved();
  expect(cells.map(one => one.text)).toEqual(['', 'one\ntwo\n']);
  expect(cells[1].mark).toMatchObject({ status: 'ok' });
  await back.page.context().close();
});

test('a cell asked for after a reload, without a click, comes behind those before it', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', cell('Set x', 'x = base + 1')),
    told('+x', say('Made x.')),
    asked('make y', cell('Set y', 'y = x + 1')),
    told('+y', say('Made y.'))
  );
  await lab.begin('title = "Notes"', 'base = 1', '# the end');
  await lab.document.goTo(1);
  await lab.panel.setMode('Auto');
  await lab.panel.composer.click();
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.document.cells).toHaveCount(4);
  await lab.document.save();

  await lab.document.reload();
  await lab.panel.open();
  await lab.panel.say('make y');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(lab.document.cells).toHaveCount(5);
  const cells = await lab.saved();
  expect(cells.map(one => one.source)).toEqual([
    'title = "Notes"',
    'base = 1',
    'x = base + 1',
    'y = x + 1',
    '# the end'
  ]);
  const [x, y] = await lab.journal.all('run.intended');
  expect([x.after, y.after]).toEqual(['mine-1', x.cell_id]);
});

test('the cells of two threads that were not saved stand after a reload as they stood before', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', cell('Set x', 'x = base + 1')),
    told('+x', say('Made x.')),
    asked('make y', cell('Set y', 'y = x + 1')),
    told('+y', cell('Set z', 'z = y + 1')),
    told('+z', say('Made y and z.'))
  );
  await lab.begin('title = "Notes"', 'base = 1', '# the end');
  await lab.document.goTo(1);
  await lab.panel.setMode('Auto');
  await lab.panel.composer.click();
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.document.cells).toHaveCount(4);
  await command(lab, 'cave-lab:new-thread');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make y');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.document.cells).toHaveCount(6);

  await lab.document.reload();
  await expect(lab.document.cells).toHaveCount(6);
  expect((await lab.saved()).map(one => one.source)).toEqual([
    'title = "Notes"',
    'base = 1',
    'x = base + 1',
    'y = x + 1',
    'z = y + 1',
    '# the end'
  ]);
});
