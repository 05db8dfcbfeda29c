import { expect, type Locator } from '@playwright/test';

import { type Panel } from './panel';

/** The model settings in the panel, found by words and labels. */
export class SettingsPage {
  constructor(private readonly panel: Panel) {}

  get back(): Locator {
    return this.panel.root.getByRole('button', { name: 'Back', exact: true });
  }

  get model(): Locator {
    return this.panel.root.getByLabel('Model', { exact: true });
  }

  get address(): Locator {
    return this.panel.root.getByLabel('Base URL (optional)');
  }

  get key(): Locator {
    return this.panel.root.getByLabel('Environment variable');
  }

  /** What *Test* says came back. */
  get verdict(): Locator {
    return this.panel.root
      .locator('.jp-CaveLab-notice')
      .filter({ hasText: 'Came back:' });
  }

  /** Open them from the composer, by the name of the model there. */
  async open(): Promise<void> {
    await this.panel.root
      .getByRole('button', { name: 'Model settings', exact: true })
      .first()
      .click();
    await this.shown();
  }

  /** Wait until they are there, with the focus at their beginning. */
  async shown(): Promise<void> {
    await expect(this.model).toBeVisible();
    await expect(this.back).toBeFocused();
  }

  /** Leave by the keyboard: the composer has the focus again. */
  async leave(): Promise<void> {
    // Dragging the panel's edge for a picture may have taken the focus away.
    await this.back.press('Escape');
    await expect(this.model).toHaveCount(0);
    await expect(this.panel.composer).toBeFocused();
  }

  async press(button: string): Promise<void> {
    await this.panel.root
      .getByRole('button', { name: button, exact: true })
      .click();
  }

  /** Save the form, which leads back to the thread. */
  async save(): Promise<void> {
    await this.press('Save');
    await expect(this.model).toHaveCount(0);
    await expect(this.panel.composer).toBeFocused();
  }

  /** Set one bound, save, and wait until it is kept. */
  async bound(
    span: 'Each turn' | 'Each thread',
    measure: 'Runs' | 'Tokens',
    amount: string
  ): Promise<void> {
    const { root } = this.panel;
    const group = root.getByRole('group', { name: span });
    if (!(await group.isVisible())) {
      await root.getByText('Budgets', { exact: true }).click();
    }
    await group.getByLabel(measure, { exact: true }).fill(amount);
    await this.press('Save budgets');
    await expect(root).toContainText('The budgets are saved.');
  }
}
