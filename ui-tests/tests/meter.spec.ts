import { type Locator } from '@playwright/test';

import { type Lab } from '../support/lab';
import { expectAccessible, portrait } from '../support/look';
import { asked, cell, gate, say, told, using } from '../support/script';
import { expect, test } from '../support/test';

/** The meter below the message field, and the table that it opens. */
class Meter {
  constructor(private readonly lab: Lab) {}

  get button(): Locator {
    return this.lab.panel.root.getByTitle('Tokens and money of this thread');
  }

  get table(): Locator {
    return this.lab.panel.root
      .getByRole('dialog', { name: 'Usage by turn' })
      .getByRole('table');
  }

  /** Open the table with the calls of each turn, if it is not open. */
  async open(): Promise<void> {
    if (!(await this.table.isVisible())) {
      await this.button.click();
    }
    const folded = this.table.locator('button[aria-expanded="false"]');
    while ((await folded.count()) > 0) {
      await folded.first().click();
    }
  }

  /** What stands above the columns. */
  async heads(): Promise<readonly string[]> {
    return this.table.locator('thead th').allInnerTexts();
  }

  /** Each name with the numbers below it, but the time, which the machine decides. */
  async rows(): Promise<readonly string[][]> {
    const time = (await this.heads()).indexOf('Time');
    const rows: string[][] = [];
    for (const group of await this.table.locator('tbody, tfoot').all()) {
      const cells = await group.locator('td').allInnerTexts();
      rows.push([
        await group.locator('th').innerText(),
        ...cells.filter((_, at) => at !== time)
      ]);
    }
    return rows;
  }
}

test('the meter is right to the token of what the model reported, by turn and by call', async ({
  lab,
  model
}) => {
  await model.play(
    using(
      { prompt: 12_345, completion: 678, cached: 9_000 },
      asked('make x', say('I set it.'), cell('Set x', 'x = 41 + 1', 'x'))
    ),
    using(
      { prompt: 23_456, completion: 89, cached: 12_288 },
      told('42', say('Made.'))
    ),
    using(
      { prompt: 1_000_001, completion: 7 },
      asked('tell me more', say('There is no more.'))
    )
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  const meter = new Meter(lab);
  await expect(meter.button).toHaveCount(0);
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(meter.button).toHaveText('36.6k tokens · price unknown');
  await lab.panel.say('tell me more');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(meter.button).toHaveText('1.0M tokens · price unknown');
  await meter.open();
  const one = 'Call 1: openai/scripted, by tool calls';
  // No price is known, so there is no column for it.
  expect(await meter.heads()).toEqual([
    'Prompt',
    'Answer',
    'Cached',
    'Time',
    'Runs'
  ]);
  expect(await meter.rows()).toEqual([
    ['make x', '35,801', '767', '21,288', '1'],
    [one, '12,345', '678', '9,000', ''],
    ['Call 2: openai/scripted, by tool calls', '23,456', '89', '12,288', ''],
    ['tell me more', '1,000,001', '7', '0', '0'],
    [one, '1,000,001', '7', '0', ''],
    ['In all', '1,035,802', '774', '21,288', '1']
  ]);
  await expect(lab.panel.root).toContainText(
    'The price of 3 calls is not known.'
  );
  await expect(lab.panel.root).not.toContainText('≈');
  await portrait(lab, 'meter', () => meter.open());
  await meter.open();
  await expectAccessible(lab, 'the meter');
  await lab.page.keyboard.press('Escape');
  await expect(meter.table).toHaveCount(0);
  await expect(meter.button).toBeFocused();

  await lab.comeBack();
  await expect(meter.button).toHaveText('1.0M tokens · price unknown');
});

test('a model of a known price shows its money and where the price comes from', async ({
  lab,
  model,
  settings
}) => {
  await settings.choose('openai/gpt-4o-mini');
  await model.play(
    using(
      { prompt: 1_000_000, completion: 1_000_000 },
      asked('spend', say('So.'))
    )
  );
  await lab.begin('mine = 1');
  await lab.panel.say('spend');
  await lab.journal.turnsEnded('end_turn');
  const [reported] = await lab.journal.all('usage');
  expect(reported.cost).toBeGreaterThan(0);
  const meter = new Meter(lab);
  await expect(meter.button).toHaveText(
    `2.0M tokens · $${reported.cost!.toFixed(2)}`
  );
  await meter.open();
  await expect(lab.panel.root).toContainText('Prices come from litellm');
  await expect(lab.panel.root).not.toContainText('not known');
  expect((await meter.rows())[0][3]).toBe(`$${reported.cost!.toFixed(2)}`);
});

test('an answer that was stopped is counted here, and marked as about', async ({
  lab,
  model
}) => {
  await model.play(
    using({ prompt: 1_000, completion: 10 }, asked('first', say('One.'))),
    asked(
      'tell me',
      say('Once upon a time, in a kernel far away, '),
      gate('on')
    )
  );
  await lab.begin('mine = 1');
  await lab.panel.say('first');
  await lab.journal.turnsEnded('end_turn');
  const meter = new Meter(lab);
  await expect(meter.button).toHaveText('1.0k tokens · price unknown');
  await lab.panel.say('tell me');
  await expect(lab.panel.transcript).toContainText('far away');
  await lab.panel.stopButton.click();
  await lab.journal.turnsEnded('end_turn', 'cancelled');
  await expect(meter.button).toHaveText(
    /^about [\d.]+k tokens · price unknown$/
  );
  const reports = await lab.journal.all('usage');
  expect(reports.map(({ estimated }) => estimated)).toEqual([false, true]);
  const [, { prompt, completion }] = reports;
  expect(prompt).toBeGreaterThan(100);
  expect(completion).toBeGreaterThan(5);
  expect(completion).toBeLessThan(40);

  await meter.open();
  const count = (tokens: number) => `≈${tokens.toLocaleString('en-US')}`;
  const counted = [count(prompt), count(completion)];
  expect(await meter.rows()).toEqual([
    ['first', '1,000', '10'],
    ['Call 1: openai/scripted, by tool calls', '1,000', '10'],
    ['tell me', ...counted],
    ['Call 1: openai/scripted, by tool calls, counted here', ...counted],
    ['In all', count(1_000 + prompt), count(10 + completion)]
  ]);
  await expect(lab.panel.root).toContainText(
    '≈ was counted here: the provider did not say.'
  );
  await portrait(lab, 'meter-about', () => meter.open());
});
