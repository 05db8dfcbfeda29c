import { command } from '../support/command';
import { type Lab } from '../support/lab';
import { readSaved } from '../support/notebook';
import { asked, cell, say, told } from '../support/script';
import { type ScriptedModel } from '../support/model';
import { expect, test } from '../support/test';

/** A notebook with a cell of ours after the person's, saved. */
async function makeCell(lab: Lab, model: ScriptedModel): Promise<void> {
  await model.play(
    asked('make x', cell('Set x', 'x = 1')),
    told('Finished', say('Made.'))
  );
  await lab.begin('mine = 1');
  await lab.panel.setMode('Auto');
  await lab.panel.say('make x');
  await lab.journal.turnsEnded('end_turn');
  await expect(lab.document.cells).toHaveCount(2);
  await lab.document.save();
  await placed(lab, 'in_document', 'in_file');
}

/** What the journal says of where the cell is, from first to last. */
async function placed(lab: Lab, ...levels: readonly string[]): Promise<void> {
  await expect
    .poll(async () => (await lab.journal.all('cell.placed')).map(e => e.level))
    .toEqual(levels);
}

test('a cell that was deleted, saved without, and brought back by undo is there after a reload', async ({
  lab,
  model
}) => {
  await makeCell(lab, model);
  await lab.document.goTo(1);
  await lab.page.keyboard.press('Escape');
  await command(lab, 'notebook:delete-cell');
  await expect(lab.document.cells).toHaveCount(1);
  await expect
    .poll(async () =>
      (await lab.journal.all('cell.reviewed')).map(e => e.verdict)
    )
    .toEqual(['deleted_by_user']);
  await lab.document.save();
  await command(lab, 'notebook:undo-cell-action');
  await expect(lab.document.cells).toHaveCount(2);
  await placed(lab, 'in_document', 'in_file', 'in_document');

  await lab.document.reload();
  await expect(lab.document.cells).toHaveCount(2);
  expect((await lab.saved()).map(one => one.source)).toEqual([
    'mine = 1',
    'x = 1'
  ]);
});

test('Undo on a cell of a duplicated notebook takes it out there, and leaves the original alone', async ({
  lab,
  model
}) => {
  await makeCell(lab, model);
  const copy = await lab.page.evaluate(async path => {
    const { contents } = window.jupyterapp.serviceManager;
    return (await contents.copy(path, path.split('/')[0])).path;
  }, lab.path);
  await command(lab, 'docmanager:open', { path: copy });
  await expect(lab.panel.root).toContainText(copy.split('/').at(-1)!);
  const bar = lab.page
    .locator('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-CaveLab-cellBar')
    .getByRole('button', { name: 'Undo' });
  await bar.click();
  await expect(bar).toHaveCount(0);
  await command(lab, 'docmanager:save');
  await expect
    .poll(async () => (await readSaved(lab.home, copy)).map(one => one.source))
    .toEqual(['mine = 1']);
  expect((await readSaved(lab.home, lab.path)).map(one => one.source)).toEqual([
    'mine = 1',
    'x = 1'
  ]);
  expect(await lab.journal.all('cell.reviewed')).toEqual([]);
});
