import { expectAccessible, portrait } from '../support/look';
import { asked, cell, say, using } from '../support/script';
import { SettingsPage } from '../support/settingspage';
import { expect, test } from '../support/test';

test('the run that crosses the budget of a turn completes, and Go on continues the job in a new turn', async ({
  lab,
  model
}) => {
  await model.play(
    asked('two steps', say('First.'), cell('Step one', 'print("one", 41 + 1)')),
    asked('Go on.', cell('Step two', 'print("two", 42 + 1)'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  const page = new SettingsPage(lab.panel);
  await page.open();
  await page.bound('Each turn', 'Runs', '1');
  await portrait(lab, 'budgets', () =>
    lab.panel.root.getByText('The budgets are saved.').scrollIntoViewIfNeeded()
  );
  await expectAccessible(lab, 'the budgets');
  await page.leave();

  const { transcript } = lab.panel;
  await lab.panel.say('two steps');
  await lab.journal.turnsEnded('max_runs');
  await lab.panel.stands('Step one', 'done');
  await expect(transcript).toContainText('one 42');
  await expect(transcript).toContainText('This turn has used its one run.');
  expect((await lab.saved()).map(one => one.text)).toEqual(['', 'one 42\n']);
  expect(await model.requests()).toHaveLength(1);
  await portrait(lab, 'budget-reached');
  await expectAccessible(lab, 'a budget that is used up');

  await transcript.getByRole('button', { name: 'Go on', exact: true }).click();
  await lab.journal.turnsEnded('max_runs', 'max_runs');
  await expect(transcript).toContainText('two 43');
  await expect(lab.panel.composer).toBeFocused();
  // The turn before is over: only the last one offers to go on.
  await expect(
    transcript.getByRole('button', { name: 'Go on', exact: true })
  ).toHaveCount(1);
  const cells = await lab.saved();
  expect(cells.map(one => one.text)).toEqual(['', 'one 42\n', 'two 43\n']);
  expect(await lab.journal.runStatuses()).toEqual(['ok', 'ok']);
  expect(await model.requests()).toHaveLength(2);
});

const CROSSED = [
  ['Runs', '1', 'max_runs', 'This thread has used its one run.'],
  ['Tokens', '1000', 'max_tokens', 'This thread has used its 1,000 tokens.']
] as const;

for (const [measure, amount, reason, words] of CROSSED) {
  test(`a thread whose budget of ${measure.toLowerCase()} is used up asks no model before it is given another`, async ({
    lab,
    model
  }) => {
    const usage = { prompt: 600, completion: 400 };
    await model.play(
      using(usage, asked('make x', cell('Set x', 'x = 41 + 1', 'print(x)'))),
      using({ prompt: 10, completion: 10 }, asked('Go on.', say('It is made.')))
    );
    await lab.begin('mine = 1');
    await lab.panel.setMode('Auto');
    const page = new SettingsPage(lab.panel);
    await page.open();
    await page.bound('Each thread', measure, amount);
    await page.leave();

    const { transcript } = lab.panel;
    await lab.panel.say('make x');
    await lab.journal.turnsEnded(reason);
    await expect(transcript).toContainText(words);
    expect((await lab.saved()).map(one => one.text)).toEqual(['', '42\n']);

    await lab.panel.say('and now');
    await lab.journal.turnsEnded(reason, reason);
    expect(await model.requests()).toHaveLength(1);
    const extend = transcript.getByRole('button', {
      name: 'Go on with another budget'
    });
    await expect(extend).toHaveCount(1);
    await expect(
      transcript.getByRole('button', { name: 'Go on', exact: true })
    ).toHaveCount(0);
    await portrait(lab, `thread-budget-${reason}`);

    await extend.click();
    await lab.journal.turnsEnded(reason, reason, 'end_turn');
    await expect(transcript).toContainText('It is made.');
    await expect(lab.panel.composer).toBeFocused();
    expect(await model.requests()).toHaveLength(2);
  });
}

test('an amount that is no budget is told beside its field, and nothing is saved', async ({
  lab,
  settings
}) => {
  await lab.begin('mine = 1');
  const { budgets } = await settings.status();
  const page = new SettingsPage(lab.panel);
  await page.open();
  const { root } = lab.panel;
  await root.getByText('Budgets', { exact: true }).click();
  const tokens = root
    .getByRole('group', { name: 'Each thread' })
    .getByLabel('Tokens', { exact: true });
  await tokens.fill('12');
  await page.press('Save budgets');
  await expect(tokens).toHaveAttribute('aria-invalid', 'true');
  await expect(tokens).toBeFocused();
  await expect(root).toContainText(
    'Write 1000 or more, or leave it empty for no bound.'
  );
  await portrait(lab, 'budget-refused', () => tokens.scrollIntoViewIfNeeded());
  expect((await settings.status()).budgets).toEqual(budgets);
});
