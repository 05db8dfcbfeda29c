import { asked, cell, say, told } from '../support/script';
import { expect, test } from '../support/test';

const NUMBERS = 'numbers = [1, 2, 3]';

test('a cell that is approved runs, and says in the file who approved it', async ({
  lab,
  model
}) => {
  await model.play(
    asked(
      ['numbers: list of 3', 'add them'],
      cell('Add them up', 'sum(numbers)')
    ),
    told('6', say('Six.'))
  );
  await lab.begin(NUMBERS);
  await lab.panel.say('add them');
  await lab.panel.answer('Add them up', 'Run');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.composer).toBeFocused();
  await expect(lab.document.cells).toHaveCount(2);

  const [mine, made, ...others] = await lab.saved();
  expect(others).toEqual([]);
  expect(mine.mark).toBeUndefined();
  expect(made.source).toBe('sum(numbers)');
  expect(made.text).toBe('6');
  expect(made.mark).toMatchObject({ status: 'ok', approved_by: 'person' });
  const [closed] = await lab.journal.all('approval.closed');
  expect(closed).toMatchObject({ outcome: 'run', allowed_by: null });
});

test('a cell that waits is reached from the notebook and run by keys alone', async ({
  lab,
  model
}) => {
  await model.play(
    asked('add them', cell('Add them up', 'sum(numbers)')),
    told('6', say('Six.'))
  );
  await lab.begin(NUMBERS);
  await lab.panel.say('add them');
  await lab.document.cells.first().click();
  await lab.panel.proposed('Add them up');
  await lab.panel.open();
  await expect(lab.panel.proposal).toBeFocused();
  await lab.panel.proposed('Add them up');
  await lab.page.screenshot({ path: 'screenshots/proposed-keys.png' });
  await lab.page.keyboard.press('ControlOrMeta+Enter');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.composer).toBeFocused();
  // Esc leads back, but not so soon after a turn that it may have been meant for that.
  await expect(async () => {
    await lab.page.keyboard.press('Escape');
    expect(
      await lab.page.evaluate(() =>
        Boolean(document.activeElement?.closest('.jp-Notebook'))
      )
    ).toBe(true);
  }).toPass();
});

test('a cell that is edited runs as edited, and the model is told so', async ({
  lab,
  model
}) => {
  const edited = 'sum(numbers) * 10';
  await model.play(
    asked('add them', cell('Add them up', 'sum(numbers)')),
    told(['changed the code before running it', edited, '60'], say('Sixty.'))
  );
  await lab.begin(NUMBERS);
  await lab.panel.say('add them');
  await lab.panel.answer('Add them up', 'Edit');
  const editor = lab.panel.proposal.getByRole('textbox', {
    name: 'Proposed code'
  });
  await expect(editor).toBeFocused();
  await lab.page.keyboard.press('ControlOrMeta+a');
  await lab.page.keyboard.insertText(edited);
  await lab.page.screenshot({ path: 'screenshots/editing.png' });
  await lab.panel.answer('Add them up', 'Run edited');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('Edited by you.');

  const [, made, ...others] = await lab.saved();
  expect(others).toEqual([]);
  expect(made.source).toBe(edited);
  expect(made.text).toBe('60');
  const [proposed, mine] = await lab.journal.all('run.proposed');
  expect(mine).toMatchObject({
    by: 'user',
    code: edited,
    replaces: proposed.run_id
  });
  expect(await lab.journal.runStatuses()).toEqual(['not_run', 'ok']);
});

test('a rejected cell does not run, and the model is given the reason', async ({
  lab,
  model
}) => {
  await model.play(
    asked('tidy up', cell('Delete the numbers', 'del numbers')),
    told(['rejected', 'I still need them'], say('Then I leave them.'))
  );
  await lab.begin(NUMBERS, 'print(len(numbers))');
  await lab.panel.say('tidy up');
  await lab.panel.answer('Delete the numbers', 'Reject');
  await lab.page.keyboard.insertText('I still need them');
  await lab.page.screenshot({ path: 'screenshots/rejecting.png' });
  await lab.page.keyboard.press('Enter');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.stands('Delete the numbers', 'rejected');
  await lab.page.screenshot({ path: 'screenshots/rejected.png' });

  await lab.document.runAll();
  const cells = await lab.saved();
  expect(cells.map(one => one.id)).toEqual(['mine-0', 'mine-1']);
  expect(cells[1].text).toBe('3\n');
  expect(await lab.journal.all('run.intended')).toEqual([]);
  expect(await lab.journal.runStatuses()).toEqual(['rejected']);
});

test('a cell is rejected by the chord that would run it, pressed in the reason, and the focus is in the composer again', async ({
  lab,
  model
}) => {
  await model.play(
    asked('tidy up', cell('Delete the numbers', 'del numbers')),
    told(['rejected', 'it drops the numbers'], say('Then I leave them.'))
  );
  await lab.begin(NUMBERS, 'print(len(numbers))');
  await lab.panel.say('tidy up');
  await lab.panel.answer('Delete the numbers', 'Reject');
  await lab.page.keyboard.insertText('it drops the numbers');
  await lab.page.keyboard.press('ControlOrMeta+Enter');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.stands('Delete the numbers', 'rejected');
  await expect(lab.panel.composer).toBeFocused();

  await lab.document.runAll();
  const cells = await lab.saved();
  expect(cells.map(one => one.id)).toEqual(['mine-0', 'mine-1']);
  expect(cells[1].text).toBe('3\n');
  expect(await lab.journal.all('run.intended')).toEqual([]);
  const [closed] = await lab.journal.all('approval.closed');
  expect(closed).toMatchObject({
    outcome: 'rejected',
    reason: 'it drops the numbers'
  });
  expect(await lab.journal.runStatuses()).toEqual(['rejected']);
});

test('a repair is judged with the error that it repairs in view', async ({
  lab,
  model
}) => {
  await model.play(
    asked('the west', cell('Look the west up', 'numbers["west"]')),
    told('TypeError', cell('Look the first up', 'numbers[0]')),
    told('1', say('One.'))
  );
  await lab.begin(NUMBERS);
  await lab.panel.say('the west');
  await lab.panel.answer('Look the west up', 'Run');
  await lab.panel.proposed('Look the first up');
  const failed = lab.panel.card('Look the west up');
  await expect(failed).toHaveAttribute('data-state', 'failed');
  await expect(failed).toContainText('TypeError: list indices must be');
  await lab.page.screenshot({ path: 'screenshots/repair-proposed.png' });
  await lab.panel.answer('Look the first up', 'Run');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.card('Look the first up')).toContainText('2 attempts');
});

test('all cells of a turn run after one answer, and the next turn asks again', async ({
  lab,
  model
}) => {
  await model.play(
    asked('count', cell('First', 'print("one")')),
    told('one', cell('Second', 'print("two")')),
    told('two', cell('Third', 'print("three")')),
    told('three', say('Counted.')),
    asked('again', cell('Fourth', 'print("four")')),
    told('four', say('Once more.'))
  );
  await lab.begin();
  await lab.panel.say('count');
  await lab.panel.answer('First', 'Run all in this turn');
  await lab.journal.turnsEnded('end_turn');
  await lab.page.screenshot({ path: 'screenshots/three-cells.png' });
  await lab.panel.say('again');
  await lab.panel.answer('Fourth', 'Run');
  await lab.journal.turnsEnded('end_turn', 'end_turn');

  const cells = await lab.saved();
  const ours = cells.filter(one => one.mark !== undefined);
  expect(ours.map(one => one.text)).toEqual([
    'one\n',
    'two\n',
    'three\n',
    'four\n'
  ]);
  const closed = await lab.journal.all('approval.closed');
  expect(closed.map(event => event.outcome)).toEqual([
    'run',
    'allowed_by',
    'allowed_by',
    'run'
  ]);
  expect(closed[1].allowed_by).toBe('scope:turn');
});
