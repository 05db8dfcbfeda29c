import { expect, test } from '@jupyterlab/galata';

const panel = '#cave-lab-panel';

test('the panel opens by its command', async ({ page }) => {
  await expect(page.locator(panel)).toBeHidden();
  await page.evaluate(() =>
    window.jupyterapp.commands.execute('cave-lab:open')
  );
  await expect(page.locator(panel)).toBeVisible();
  await page.screenshot({ path: 'screenshots/panel.png' });
});

test('the panel opens by its shortcut', async ({ page }) => {
  await expect(page.locator(panel)).toBeHidden();
  await page.keyboard.press('ControlOrMeta+Shift+Space');
  await expect(page.locator(panel)).toBeVisible();
});

test('the shortcut works while a cell is being edited, and types nothing', async ({
  page
}) => {
  await page.notebook.createNew();
  await page.notebook.enterCellEditingMode(0);
  await page.keyboard.type('value = 1');
  await page.keyboard.press('ControlOrMeta+Shift+Space');
  await expect(page.locator(panel)).toBeVisible();
  expect(await page.notebook.getCellTextInput(0)).toBe('value = 1');
});

test('nothing is saved by itself', async ({ page }) => {
  const settings = await page.evaluate(() =>
    window.jupyterapp.serviceManager.settings.fetch(
      '@jupyterlab/docmanager-extension:plugin'
    )
  );
  expect(settings.schema.properties?.['autosave']).toMatchObject({
    default: false
  });
});
