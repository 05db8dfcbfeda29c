import { expect, test } from '../support/test';

test('without a notebook the panel says so and makes one on a click', async ({
  lab
}) => {
  await lab.jupyter.makeFolder(lab.folder);
  await lab.page.goto(`${lab.home.url}/lab/workspaces/${lab.folder}`);
  await lab.page.waitForFunction(isStarted);
  // Before, it does not hear its shortcuts yet.
  await lab.page.evaluate(async () => {
    await window.jupyterapp.restored;
  });
  await lab.page.keyboard.press('ControlOrMeta+Shift+Space');
  await expect(lab.panel.root).toContainText('No notebook is open.');
  await lab.page.screenshot({ path: 'screenshots/no-notebook.png' });
  await lab.panel.root
    .getByRole('button', { name: 'Create a notebook' })
    .click();
  await expect(lab.panel.binding).toContainText('.ipynb');
});

test('without a kernel the panel says so, and starts one only on a click', async ({
  lab
}) => {
  await lab.begin('mine = 1');
  await lab.document.save();
  await lab.jupyter.shutDown(lab.folder);
  await expect(lab.panel.root).toContainText(
    'No kernel runs for this notebook.'
  );
  expect(await lab.jupyter.sessions(lab.folder)).toHaveLength(0);
  await lab.page.screenshot({ path: 'screenshots/no-kernel.png' });
  await lab.panel.root
    .getByRole('button', { name: 'Start the kernel' })
    .first()
    .click();
  await expect(lab.panel.binding).toContainText('idle');
  expect(await lab.jupyter.sessions(lab.folder)).toHaveLength(1);
});

/** JupyterLab has begun to start, with CaveLab's command. */
function isStarted(): boolean {
  const app = (window as Partial<Window>).jupyterapp;
  return Boolean(app?.commands.hasCommand('cave-lab:open'));
}
