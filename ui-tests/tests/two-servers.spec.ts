import { Lab } from '../support/lab';
import { asked, cell, say, told } from '../support/script';
import { OwnServer } from '../support/server';
import { expect, test } from '../support/test';

test('a second server on the same folders reads a thread that the first one holds', async ({
  lab,
  model,
  browser
}) => {
  await model.play(
    asked('make x', cell('Make x', 'x = 6 * 7', 'x')),
    told('42', say('Made.'))
  );
  await lab.begin('start = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  const cells = await lab.saved();
  const events = await lab.journal.events();

  const second = new OwnServer(lab.home);
  await second.start();
  const context = await browser.newContext({
    storageState: second.home.cookies
  });
  const there = new Lab(await context.newPage(), second.home, lab.folder);
  await there.comeBack();
  await expect(there.panel.transcript).toContainText('Made.');
  await expect(there.panel.root).toContainText('another Jupyter server');
  await expect(there.panel.composer).toBeDisabled();
  await expect(there.panel.binding).toContainText('idle');
  await there.page.screenshot({ path: 'screenshots/second-server.png' });
  expect(await there.saved()).toEqual(cells);
  expect(await lab.journal.events()).toEqual(events);
  await there.jupyter.shutDown(lab.folder);
  await context.close();
  await second.stop();
  if (!process.env.CAVE_LAB_UI_KEEP) {
    second.home.remove();
  }
});
