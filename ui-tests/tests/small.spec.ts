import { setWidth } from '../support/look';
import { asked, cell, say } from '../support/script';
import { expect, test } from '../support/test';

const TABLE = [
  '| a long header | another long header | third header | fourth header |',
  '|---|---|---|---|',
  '| 1234567890 | -1234567.890 | 9876543210 | 1,234,567.89 |'
].join('\n');

test('no word and no number of a wide table is broken in a narrow panel', async ({
  lab,
  model
}) => {
  await model.play(asked('a table', say(TABLE)));
  await lab.begin('mine = 1');
  await setWidth(lab, 280);
  await lab.panel.say('a table');
  const frame = lab.panel.transcript.locator('.jp-CaveLab-wide');
  await expect(frame.locator('td')).toHaveCount(4);
  const lines = await frame.locator('td').evaluateAll(cells =>
    cells.map(td => {
      const range = document.createRange();
      range.selectNodeContents(td);
      return range.getClientRects().length;
    })
  );
  expect(lines).toEqual([1, 1, 1, 1]);
  await frame.focus();
  await lab.page.keyboard.press('ArrowRight');
  await expect.poll(() => frame.evaluate(box => box.scrollLeft)).not.toBe(0);
  await lab.page.screenshot({ path: 'screenshots/table-narrow.png' });
});

test('the message field scrolls only when it can grow no more', async ({
  lab
}) => {
  await lab.begin('mine = 1');
  const hidden = () =>
    lab.panel.composer.evaluate(box => box.scrollHeight - box.clientHeight);
  for (const count of [1, 3, 8]) {
    await lab.panel.composer.fill(Array(count).fill('line').join('\n'));
    expect(await hidden()).toBe(0);
  }
  await lab.panel.composer.fill(Array(9).fill('line').join('\n'));
  expect(await hidden()).toBeGreaterThan(0);
});

test('what was sent comes into view where the popover ends above it', async ({
  lab,
  model
}) => {
  await model.play(asked('look', say('There are many.')));
  await lab.begin(
    Array.from({ length: 30 }, (_, at) => `value_${at} = ${at}`).join('\n')
  );
  await lab.panel.say('look');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.root.getByRole('button', { name: /^Last sent/ }).click();
  await lab.panel.root.getByText('Show exactly what was sent').click();
  await expect(
    lab.panel.root.getByRole('button', { name: /^Call 1 to/ })
  ).toBeInViewport({ ratio: 1 });
  await lab.page.screenshot({ path: 'screenshots/sent-opened.png' });
});

test('the keys that open the panel stand in the palette and on its tab', async ({
  lab
}) => {
  await lab.begin('mine = 1');
  await expect(
    lab.page.locator('.lm-TabBar-tab[data-id="cave-lab-panel"]')
  ).toHaveAttribute('title', 'CaveLab (Ctrl+Shift+Space)');
  const palette = lab.page.locator('.lm-CommandPalette');
  await lab.page.keyboard.press('ControlOrMeta+Shift+c');
  await palette.locator('input').first().fill('cavelab');
  await expect(palette.getByRole('menuitem').first()).toContainText(
    'Ctrl+Shift+Space'
  );
});

test('what is read out after Stop is that the turn was stopped', async ({
  lab,
  model
}) => {
  await model.play(
    asked('wait', say('I wait.'), cell('Wait', 'import time; time.sleep(60)'))
  );
  await lab.begin('mine = 1');
  await lab.panel.say('wait');
  await lab.panel.answer('Wait', 'Run');
  await lab.panel.stands('Wait', 'running');
  await lab.panel.stopButton.click();
  await lab.journal.turnsEnded('cancelled');
  const heard = lab.panel.root.locator('.jp-CaveLab-hidden[role="status"]');
  await expect(heard).toContainText('You stopped this turn.');
  await expect(heard).not.toContainText('I wait.');
});
