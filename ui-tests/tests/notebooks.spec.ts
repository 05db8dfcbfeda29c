import { command } from '../support/command';
import { notebookOf, readSaved, type SavedCell } from '../support/notebook';
import { asked, cell, gate, say, told, waitsFor } from '../support/script';
import { expect, test } from '../support/test';

/** Ids of cells as the file holds them, ours as `ours`. */
function ids(cells: readonly SavedCell[]): readonly string[] {
  return cells.map(one => (one.mark ? 'ours' : one.id));
}

test('a cell lands in the notebook that was asked about, whichever tab is in front', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', gate('thinking'), cell('Make x', 'x = 1', 'x')),
    told('Finished', say('Made.'))
  );
  await lab.begin('start = 1');
  const other = `${lab.folder}/other.ipynb`;
  await lab.jupyter.write(other, notebookOf('other = 1'));
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  await command(lab, 'docmanager:open', { path: other });
  await expect(lab.panel.root).toContainText('other.ipynb');
  await model.release('thinking');
  await lab.journal.turnsEnded('end_turn');
  await lab.page.screenshot({ path: 'screenshots/other-notebook.png' });

  await command(lab, 'docmanager:open', { path: lab.path });
  await expect(lab.panel.transcript).toContainText('Made.');
  expect(ids(await lab.saved())).toEqual(['mine-0', 'ours']);
  expect(ids(await readSaved(lab.home, other))).toEqual(['mine-0']);
});

test('a cell that the person deletes stays deleted, and one that they edit stays as they wrote it', async ({
  lab,
  model
}) => {
  await model.play(
    asked('two cells', cell('First', 'a = 1', 'print("first over")')),
    told(
      'first over',
      gate('thinking'),
      cell('Second', 'b = 2', ...waitsFor('go'), 'print("second over")')
    ),
    told('second over', say('Both done.'))
  );
  await lab.begin('mine = 1', 'also_mine = 2');
  await lab.document.goTo(1);
  await lab.panel.setMode('Auto');
  await lab.panel.composer.click();
  await lab.panel.say('two cells');
  await expect(lab.document.cells).toHaveCount(3);
  await lab.document.goTo(2);
  await lab.page.keyboard.press('Escape');
  await command(lab, 'notebook:delete-cell');
  await expect(lab.document.cells).toHaveCount(2);
  await lab.document.goTo(0);
  await lab.page.keyboard.press('End');
  await lab.page.keyboard.type(' + 41');
  await model.release('thinking');
  await expect(lab.document.cells).toHaveCount(3);
  await lab.document.goTo(2);
  await lab.page.keyboard.press('ControlOrMeta+Home');
  await lab.page.keyboard.type('# my note\n');
  await lab.letGo('go');
  await lab.journal.turnsEnded('end_turn');

  const cells = await lab.saved();
  expect(ids(cells)).toEqual(['mine-0', 'mine-1', 'ours']);
  expect(cells[0].source).toBe('mine = 1 + 41');
  expect(cells[2].source).toContain('# my note\nb = 2');
  const verdicts = (await lab.journal.all('cell.reviewed')).map(e => e.verdict);
  expect(verdicts).toEqual(['deleted_by_user', 'edited_since']);
});

test('a notebook renamed in mid-turn keeps its thread and gets its cell', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', gate('thinking'), cell('Make x', 'x = 40 + 2', 'x')),
    told('42', say('Made.'))
  );
  await lab.begin('start = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  const renamed = `${lab.folder}/renamed.ipynb`;
  await lab.page.evaluate(
    async ([from, to]) => {
      await window.jupyterapp.serviceManager.contents.rename(from, to);
    },
    [lab.path, renamed] as const
  );
  await expect(lab.panel.binding).toContainText('renamed.ipynb');
  await model.release('thinking');
  await expect(lab.panel.transcript).toContainText('Made.');
  await lab.document.saveAs(renamed);
  expect(ids(await readSaved(lab.home, renamed))).toEqual(['mine-0', 'ours']);
});

test("one undo takes CaveLab's cell or the person's typing, never both", async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', cell('Set x', 'x = 1')),
    told('Finished', say('Made.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.document.goTo(0);
  await lab.page.keyboard.press('End');
  await lab.page.keyboard.type('0');
  await lab.panel.composer.click();
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.document.cells).toHaveCount(2);
  await command(lab, 'notebook:undo-cell-action');
  await expect(lab.document.cells).toHaveCount(1);
  await expect(lab.document.cells.first()).toContainText('mine = 10');
});

test('Keep and Undo in the panel: an undone cell goes, a kept one stays, variables stay', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', cell('Set x', 'x = 1')),
    told('Finished', say('Made x.')),
    asked('make y', cell('Set y', 'y = 2')),
    told('Finished', say('Made y.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await lab.panel.root.getByRole('button', { name: 'Keep all' }).click();
  await lab.panel.composer.click();
  await lab.panel.say('make y');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(lab.document.cells).toHaveCount(3);
  await lab.panel.root
    .getByRole('button', { name: 'Undo turn' })
    .last()
    .click();
  await expect(lab.document.cells).toHaveCount(2);
  await lab.page.screenshot({ path: 'screenshots/undone.png' });
  expect((await lab.saved()).map(one => one.source)).toEqual([
    'mine = 1',
    'x = 1'
  ]);
  const verdicts = (await lab.journal.all('cell.reviewed')).map(e => e.verdict);
  expect(verdicts).toEqual(['kept', 'undone']);
});

test('a second tab reads, and writes once it sends a message itself', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', say('Making x.'), gate('x'), cell('Set x', 'x = 1')),
    told('+x', say('Made x.')),
    asked('make y', cell('Set y', 'y = 2')),
    told('+y', say('Made y.'))
  );
  await lab.begin('mine = 1');
  await lab.document.save();
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  await expect(lab.panel.transcript).toContainText('Making x.');
  const second = lab.at(await lab.page.context().newPage());
  await second.document.open(`${lab.folder}-second`);
  await second.panel.open();
  await model.release('x');
  await lab.journal.turnsEnded('end_turn');
  await expect(second.panel.transcript).toContainText('Made x.');
  await lab.page.bringToFront();
  await expect(lab.document.cells).toHaveCount(2);
  await expect(second.document.cells).toHaveCount(1);
  await second.page.bringToFront();
  const goTo = second.panel.root.getByRole('button', { name: 'Go to cell' });
  await goTo.click();
  await expect(second.panel.root).toContainText('another tab writes this');
  await lab.page.bringToFront();
  await lab.document.save();

  await second.page.bringToFront();
  await second.panel.say('make y');
  await lab.journal.turnsEnded('end_turn', 'end_turn');
  await expect(second.document.cells).toHaveCount(3);
  const cells = await second.saved();
  // The tab it was sent from had not seen the first turn's cell yet, which comes before it all the same.
  expect(cells.map(one => one.source)).toEqual(['mine = 1', 'x = 1', 'y = 2']);
  expect(new Set(cells.map(one => one.id)).size).toBe(3);
});

test('a notebook that changed on disk and here is not written, and the panel says so', async ({
  lab,
  model
}) => {
  await model.play(
    asked('make x', cell('Set x', 'x = 1')),
    told('+x', say('Made x.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.jupyter.write(lab.path, notebookOf('changed = "elsewhere"'));
  await lab.document.goTo(0);
  await lab.page.keyboard.press('End');
  await lab.page.keyboard.type('0');
  await lab.panel.composer.click();
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.panel.root).toContainText('was changed on disk');
  await expect(lab.panel.card('Set x')).toContainText('done');
  await lab.page.screenshot({ path: 'screenshots/changed-on-disk.png' });
  await expect(lab.document.cells).toHaveCount(1);
  await expect(lab.document.cells.first()).toContainText('mine = 10');
});
