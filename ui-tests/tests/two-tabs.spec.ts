import { type Browser } from '@playwright/test';

import { type Lab } from '../support/lab';
import { asked, say } from '../support/script';
import { expect, test } from '../support/test';

/** A second tab at the notebook of the first. */
async function secondTab(lab: Lab, browser: Browser): Promise<Lab> {
  const { cookies } = lab.home;
  const context = await browser.newContext({ storageState: cookies });
  const second = lab.at(await context.newPage());
  await second.comeBack();
  return second;
}

/** The person writes at the end of the first cell. */
async function write(lab: Lab, line: string): Promise<void> {
  await lab.document.cells.first().locator('.cm-content').click();
  await lab.page.keyboard.press('ControlOrMeta+End');
  await lab.page.keyboard.type(`\n${line}`);
}

test('a message from a tab that another one has overtaken tells of the cells in the file', async ({
  lab,
  model,
  browser
}) => {
  await model.play(
    asked('what is there', say('I see it.')),
    asked('and now', say('I see that too.'))
  );
  await lab.begin('mine = 1');
  await lab.document.save();
  const second = await secondTab(lab, browser);
  const sent = async () =>
    JSON.stringify((await model.requests()).at(-1)!.body.messages);

  await write(lab, 'theirs = 2');
  await lab.document.save();
  await second.panel.say('what is there');
  await second.journal.turnsEnded('end_turn');
  expect(await sent()).toContain('theirs = 2');
  await expect(second.document.cells.first()).toContainText('theirs = 2');

  await write(second, 'unsaved = 3');
  await write(lab, 'later = 4');
  await lab.document.save();
  await second.panel.say('and now');
  await second.journal.turnsEnded('end_turn', 'end_turn');
  await expect(second.panel.root.getByRole('alert')).toContainText(
    'This notebook is newer on disk'
  );
  expect(await sent()).toContain('unsaved = 3');
  await expect(second.document.cells.first()).toContainText('unsaved = 3');
  await second.page.screenshot({ path: 'screenshots/two-tabs.png' });
  await second.page.context().close();
});
