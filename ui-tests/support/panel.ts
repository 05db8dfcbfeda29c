import { expect, type Locator, type Page } from '@playwright/test';

/** CaveLab's panel, found as a person finds it: by roles and words. */
export class Panel {
  constructor(private readonly page: Page) {}

  get root(): Locator {
    return this.page.getByRole('region', { name: 'CaveLab', exact: true });
  }

  get transcript(): Locator {
    return this.root.getByRole('log', { name: 'Transcript' });
  }

  get composer(): Locator {
    return this.root.getByRole('textbox', { name: 'Message' });
  }

  /** The line that says which notebook and kernel the thread acts on. */
  get binding(): Locator {
    return this.root.locator('.jp-CaveLab-bindingLine');
  }

  /** The cell that waits for an answer. */
  get proposal(): Locator {
    return this.root.getByRole('alertdialog');
  }

  get stopButton(): Locator {
    return this.root.getByRole('button', { name: 'Stop', exact: true });
  }

  /** Open it with the keyboard. */
  async open(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+Shift+Space');
    await expect(this.root).toBeVisible();
  }

  /** Type a message and send it. */
  async say(words: string): Promise<void> {
    await this.composer.fill(words);
    await this.composer.press('Enter');
    const said = this.transcript.getByText(words, { exact: true });
    await expect(said.last()).toBeVisible();
  }

  /** Change whether cells run without asking. */
  async setMode(
    mode: 'Chat only' | 'Review each cell' | 'Auto'
  ): Promise<void> {
    await this.root.getByRole('combobox', { name: 'Mode' }).selectOption(mode);
  }

  /** Wait for a proposal that can be answered. */
  async proposed(purpose: string): Promise<Locator> {
    const proposal = this.root.getByRole('alertdialog', { name: purpose });
    await expect(proposal).toBeVisible();
    await expect(proposal.locator('[data-deaf="false"]')).toBeVisible();
    return proposal;
  }

  /** Answer a proposal by one of its buttons. */
  async answer(
    purpose: string,
    button: 'Run' | 'Run edited' | 'Edit' | 'Reject' | 'Run all in this turn'
  ): Promise<void> {
    const proposal = await this.proposed(purpose);
    await proposal.getByRole('button', { name: button, exact: true }).click();
  }

  /** The field in the card of a cell that asks, once it takes an answer. */
  async asks(purpose: string, prompt: string | RegExp): Promise<Locator> {
    const form = this.card(purpose).locator('form[data-deaf="false"]');
    await expect(form).toBeVisible();
    return form.getByLabel(prompt);
  }

  /** The card of a run that was allowed or came to an end. */
  card(purpose: string): Locator {
    return this.transcript
      .locator('section')
      .filter({ has: this.head(purpose) });
  }

  /** The line of a run: its purpose and where it stands. */
  head(purpose: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${purpose} `) });
  }

  /** Wait until a run stands so. */
  async stands(purpose: string, state: string | RegExp): Promise<void> {
    await expect(this.card(purpose).first()).toContainText(state);
  }
}
