import { asked, cell, say, told, waitsFor } from '../support/script';
import { expect, test } from '../support/test';

test('output streams into the card and into the cell while it runs', async ({
  lab,
  model
}) => {
  const lines = [
    'print("one", flush=True)',
    ...waitsFor('go'),
    'print("two", flush=True)',
    ...waitsFor('end')
  ];
  await model.play(
    asked('slowly', cell('Print slowly', ...lines)),
    told('two', say('Both are there.'))
  );
  await lab.begin('start = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('slowly');
  const card = lab.panel.card('Print slowly');
  const inNotebook = lab.document.cells.nth(1).locator('.jp-OutputArea-output');
  await expect(card.getByLabel('Output')).toHaveText('one\n');
  await expect(inNotebook).toHaveText('one\n');
  await lab.letGo('go');
  await expect(card.getByLabel('Output')).toHaveText('one\ntwo\n');
  await expect(inNotebook).toHaveText('one\ntwo\n');
  await lab.panel.stands('Print slowly', 'running');
  await lab.letGo('end');
  await lab.journal.turnsEnded('end_turn');

  const [, made] = await lab.saved();
  expect(made.text).toBe('one\ntwo\n');
  expect(made.outputs).toHaveLength(1);
});

test('a cell of many seconds runs on, and its time is shown', async ({
  lab,
  model
}) => {
  await model.play(
    asked('train', cell('Train', ...waitsFor('go'), 'print("trained")')),
    told('trained', say('Trained.'))
  );
  await lab.begin();
  await lab.panel.setMode('Auto');
  await lab.panel.say('train');
  await lab.panel.stands('Train', 'running 0:02');
  await expect(lab.panel.binding).toContainText('busy with a cell of CaveLab');
  await lab.page.screenshot({ path: 'screenshots/running.png' });
  await lab.panel.stands('Train', 'running 0:05');
  await lab.letGo('go');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.stands('Train', /done \d/);
  const [ended] = await lab.journal.all('run.ended');
  expect(ended.duration_seconds).toBeGreaterThan(5);
});
