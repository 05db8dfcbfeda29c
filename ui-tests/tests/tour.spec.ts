import { type Page } from '@playwright/test';

import { Document } from '../support/document';
import { Journal } from '../support/journal';
import { Lab } from '../support/lab';
import { expect, test } from '../support/test';

/** The lab at the notebook that the tour made. */
class TourLab extends Lab {
  override get path(): string {
    return `${this.folder}/CaveLab tour.ipynb`;
  }
}

async function inFront(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => window.jupyterapp.shell.currentWidget?.title.label
  );
}

test('the guided tour runs a cell of its own notebook, three clicks after the panel opened', async ({
  lab
}) => {
  await lab.begin('mine = 1');
  await lab.document.save();
  await lab.panel.root.getByRole('button', { name: 'Model settings' }).click();
  await lab.panel.root
    .getByRole('button', { name: 'Take the guided tour' })
    .click();
  await expect.poll(() => inFront(lab.page)).toContain('CaveLab tour');
  await expect(lab.panel.root).toContainText('scripted, not an AI');
  const tour = new TourLab(lab.page, lab.home, lab.folder);
  await new Document(lab.page, lab.home, tour.path).ready();
  const prompts = lab.panel.root.getByRole('group', {
    name: 'What to ask in the tour'
  });
  await prompts.getByRole('button').first().click();
  await expect(lab.panel.proposal).toBeVisible();
  await expect(lab.panel.proposal.locator('[data-deaf="false"]')).toBeVisible();
  await lab.panel.proposal
    .getByRole('button', { name: 'Run', exact: true })
    .click();
  const journal = new Journal(lab.home, tour.path);
  await journal.turnsEnded('end_turn');
  await lab.page.screenshot({ path: 'screenshots/tour.png' });
  expect(await journal.runStatuses()).toContain('ok');
  expect((await tour.saved()).filter(one => one.mark)).not.toHaveLength(0);
});
