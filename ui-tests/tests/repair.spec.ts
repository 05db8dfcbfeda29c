import { asked, cell, say, told } from '../support/script';
import { expect, test } from '../support/test';

const SALES = 'sales = {"north": 3, "south": 4}';

test('a failed cell that changed nothing gives its place to its repair', async ({
  lab,
  model
}) => {
  await model.play(
    asked('the west', cell('Look the west up', 'sales["west"]')),
    told(
      "KeyError: 'west'",
      cell('Look the west up with a default', 'sales.get("west", 0)')
    ),
    told('Finished', say('There is no west, so I took 0.'))
  );
  await lab.begin(SALES, '# the end');
  await lab.document.goTo(0);
  await lab.panel.setMode('Auto');
  await lab.panel.say('the west');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('2 attempts');
  await expect(lab.panel.transcript).toContainText('Added 1 cell');
  await lab.page.screenshot({ path: 'screenshots/repaired.png' });

  const cells = await lab.saved();
  expect(cells.map(one => one.source)).toEqual([
    SALES,
    'sales.get("west", 0)',
    '# the end'
  ]);
  expect(cells[1].text).toBe('0');
  const [failed, worked] = await lab.journal.all('run.ended');
  expect(failed).toMatchObject({
    status: 'error',
    variables: [],
    variables_complete: true
  });
  expect(cells[1].mark).toMatchObject({
    run: worked.run_id,
    status: 'ok',
    approved_by: 'mode:auto'
  });
});

test('a failed cell that changed a variable stays, folded and marked', async ({
  lab,
  model
}) => {
  const failing = ['total = sum(sales.values())', 'total / lots'].join('\n');
  await model.play(
    asked('the mean', cell('The mean', failing)),
    told(
      "NameError: name 'lots' is not defined",
      cell('The mean by the count', 'total / len(sales)')
    ),
    told('3.5', say('It is 3.5.'))
  );
  await lab.begin(SALES, '# the end');
  await lab.document.goTo(0);
  await lab.panel.setMode('Auto');
  await lab.panel.say('the mean');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.transcript).toContainText('Added 2 cells');

  const cells = await lab.saved();
  await lab.page.screenshot({ path: 'screenshots/folded.png' });
  expect(cells.map(one => one.source)).toEqual([
    SALES,
    failing,
    'total / len(sales)',
    '# the end'
  ]);
  expect(cells[1].text).toBe("NameError: name 'lots' is not defined");
  expect(cells[1].mark).toMatchObject({ status: 'error', folded: true });
  expect(cells[1].metadata['jupyter']).toEqual({
    source_hidden: true,
    outputs_hidden: true
  });
  expect(cells[2].mark).toMatchObject({ status: 'ok', folded: false });
  const [failed] = await lab.journal.all('run.ended');
  expect(failed.variables).toMatchObject([{ name: 'total', kind: 'added' }]);
});
