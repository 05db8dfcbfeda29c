import { asked, cell, say, told } from '../support/script';
import { expect, test } from '../support/test';

const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join('\n\n');

test('Accel Enter in the empty message field runs a cell in view, and only shows one out of view', async ({
  lab,
  model
}) => {
  await model.play(
    asked('a short one', cell('Short', 'print("short ran")')),
    told('short ran', say(LONG)),
    asked('another', cell('Other', 'print("other ran")'))
  );
  await lab.begin('mine = 1');
  const { composer } = lab.panel;
  await lab.panel.say('a short one');
  await lab.panel.proposed('Short');
  await composer.click();
  await composer.fill('and then');
  await composer.press('ControlOrMeta+Enter');
  await expect(lab.panel.root.getByRole('alert')).toContainText(
    'Nothing was run'
  );
  expect(await lab.journal.runStatuses()).toEqual([]);
  await composer.fill('');
  await composer.press('ControlOrMeta+Enter');
  await lab.journal.turnsEnded('end_turn');
  expect(await lab.journal.runStatuses()).toEqual(['ok']);

  await lab.panel.say('another');
  const card = await lab.panel.proposed('Other');
  await lab.panel.transcript.evaluate(list => list.scrollTo(0, 0));
  const run = card.getByRole('button', { name: 'Run', exact: true });
  await expect(run).not.toBeInViewport();
  await composer.click();
  await composer.press('ControlOrMeta+Enter');
  await expect(card).toBeFocused();
  await expect(run).toBeInViewport();
  expect(await lab.journal.runStatuses()).toEqual(['ok']);
});
