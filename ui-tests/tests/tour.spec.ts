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

test('the guided tour goes through an approval, a chart that is repaired, and a Stop, in a notebook of its own', async ({
  lab
}) => {
  test.slow(); // three turns, with the script's own pauses
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
  // Each suggestion goes on from the one before, so there is one at a time.
  await prompts.getByRole('button').click();
  await expect(lab.panel.proposal).toBeVisible();
  await expect(lab.panel.proposal.locator('[data-deaf="false"]')).toBeVisible();
  await lab.panel.proposal
    .getByRole('button', { name: 'Run', exact: true })
    .click();
  const journal = new Journal(lab.home, tour.path);
  await journal.turnsEnded('end_turn');
  await lab.page.screenshot({ path: 'screenshots/tour.png' });

  await prompts.getByRole('button', { name: 'Plot it' }).click();
  await expect(lab.panel.proposal.locator('[data-deaf="false"]')).toBeVisible();
  await lab.panel.proposal
    .getByRole('button', { name: 'Run all in this turn' })
    .click();
  await journal.turnsEnded('end_turn', 'end_turn');
  expect(await journal.runStatuses()).toEqual(['ok', 'error', 'ok', 'ok']);
  await expect(lab.panel.transcript).toContainText('2 attempts');
  await expect(lab.panel.root.getByText(/ new ↓$/)).toHaveCount(0);
  await expect(
    lab.document.cells
      .locator('.jp-OutputArea-output')
      .locator('svg, img')
      .first()
  ).toBeVisible();
  await lab.page.screenshot({ path: 'screenshots/tour-chart.png' });

  await prompts.getByRole('button', { name: 'Count slowly' }).click();
  await expect(lab.panel.proposal.locator('[data-deaf="false"]')).toBeVisible();
  await lab.panel.proposal
    .getByRole('button', { name: 'Run', exact: true })
    .click();
  await expect(lab.document.cells.last()).toContainText('2');
  await lab.panel.stopButton.click();
  await journal.turnsEnded('end_turn', 'end_turn', 'cancelled');
  expect((await journal.runStatuses()).at(-1)).toBe('interrupted');
  expect(await journal.runStatuses()).toContain('ok');
  expect((await tour.saved()).filter(one => one.mark)).toHaveLength(4);
});
