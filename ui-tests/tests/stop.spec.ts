import { type Lab } from '../support/lab';
import { asked, cell, gate, say, told, waitsFor } from '../support/script';
import { expect, test } from '../support/test';

const STOPPED = 'You stopped this turn. What it did so far is kept.';

/** The kernel works and remembers: the person's own cell runs, and finds its variable. */
async function expectKernelToBeThere(lab: Lab): Promise<void> {
  await lab.document.startCell(0);
  await expect(lab.document.cells.first()).toContainText('still here\n');
  expect((await lab.saved())[0].text).toBe('still here\n');
}

const CHECK = [
  'kept = globals().get("kept", 0) + 1',
  'if kept > 1:',
  '    print("still here")'
].join('\n');

test('Stop ends the call while the model streams', async ({ lab, model }) => {
  await model.play(
    asked(
      'tell me',
      say('Once upon a time '),
      gate('streaming'),
      say('the end')
    )
  );
  await lab.begin(CHECK);
  await lab.panel.say('tell me');
  await expect(lab.panel.transcript).toContainText('Once upon a time');
  await lab.panel.stopButton.click();
  await lab.journal.turnsEnded('cancelled');
  await expect.poll(() => model.story()).toContain('hung_up');
  await expect(lab.panel.transcript).toContainText(STOPPED);
  await expect(lab.panel.transcript).toContainText('Once upon a time');
  await expect(lab.panel.stopButton).toBeHidden();
  await expect(lab.panel.composer).toBeFocused();
  await lab.page.screenshot({ path: 'screenshots/stopped-model.png' });
  expect((await lab.saved()).map(one => one.id)).toEqual(['mine-0']);
});

const LONG = {
  'in a sleep': [
    'import time',
    'print("begun", flush=True)',
    'time.sleep(600)'
  ],
  'in a tight loop': ['print("begun", flush=True)', 'while True:', '    pass'],
  'in a top-level await': [
    'import asyncio',
    'print("begun", flush=True)',
    'await asyncio.sleep(600)'
  ]
};

for (const [where, lines] of Object.entries(LONG)) {
  test(`Stop interrupts the cell ${where}`, async ({ lab, model }) => {
    await model.play(asked('wait', cell('Wait long', ...lines)));
    await lab.begin(CHECK);
    await lab.panel.setMode('Auto');
    await lab.panel.say('wait');
    await expect(lab.panel.card('Wait long')).toContainText('begun');
    await lab.panel.stopButton.click();
    await lab.panel.stands('Wait long', 'interrupted');
    await lab.journal.turnsEnded('cancelled');
    await expect(lab.panel.transcript).toContainText(STOPPED);
    await expect(lab.panel.binding).toContainText('idle');
    await lab.page.screenshot({ path: 'screenshots/stopped-cell.png' });

    const [, made] = await lab.saved();
    expect(made.source).toBe(lines.join('\n'));
    expect(made.text).toContain('begun\n');
    expect(made.mark).toMatchObject({ status: 'interrupted' });
    expect(await lab.journal.runStatuses()).toEqual(['interrupted']);
    await expectKernelToBeThere(lab);
  });
}

test("Stop takes a queued cell out and leaves the person's cell alone", async ({
  lab,
  model
}) => {
  const mine = [...waitsFor('go'), 'print("my cell is through")'].join('\n');
  await model.play(asked('and then', cell('Come after', 'print("after")')));
  await lab.begin(CHECK, '# next');
  await lab.document.goTo(1);
  await lab.page.keyboard.press('ControlOrMeta+a');
  await lab.page.keyboard.insertText(mine);
  await lab.page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => lab.jupyter.kernelState(lab.folder)).toBe('busy');
  await lab.panel.setMode('Auto');
  await lab.panel.say('and then');
  await lab.panel.stands('Come after', 'queued behind your cell');
  await expect(lab.panel.root).toContainText('variables unknown, 2 cells');
  await expect(lab.panel.binding).toContainText('waiting for your cell');
  await lab.page.screenshot({ path: 'screenshots/queued.png' });
  await lab.panel.stopButton.click();
  await lab.panel.stands('Come after', 'not run');
  await lab.journal.turnsEnded('cancelled');
  await expect(lab.panel.transcript).toContainText(STOPPED);
  expect(await lab.jupyter.kernelState(lab.folder)).toBe('busy');
  await lab.page.screenshot({ path: 'screenshots/stopped-queued.png' });

  await lab.letGo('go');
  await expect.poll(() => lab.jupyter.kernelState(lab.folder)).toBe('idle');
  const cells = await lab.saved();
  expect(cells.map(one => one.id)).toEqual(['mine-0', 'mine-1']);
  expect(cells[1].text).toBe('my cell is through\n');
  expect(await lab.journal.runStatuses()).toEqual(['not_run']);
  await expectKernelToBeThere(lab);
});

test('Esc in the panel stops the turn', async ({ lab, model }) => {
  await model.play(asked('wait', say('Thinking it over '), gate('escaped')));
  await lab.begin();
  await lab.panel.say('wait');
  await expect(lab.panel.transcript).toContainText('Thinking it over');
  await expect(lab.panel.composer).toBeFocused();
  await lab.page.keyboard.press('Escape');
  await lab.journal.turnsEnded('cancelled');
  await expect(lab.panel.transcript).toContainText(STOPPED);
});

test("Stop in the last moment of a cell never hits the person's next cell", async ({
  lab,
  model
}) => {
  const seconds = [0.05, 0.15, 0.25, 0.4];
  await model.play(
    ...seconds.map((time, at) =>
      asked(
        `round ${at}`,
        cell(`Round ${at}`, ...waitsFor(`go-${at}`), `time.sleep(${time})`)
      )
    ),
    told('Finished', gate('never'))
  );
  const mine = ['for step in range(60):', '    time.sleep(0.01)'];
  await lab.begin('import time', [...mine, 'print("mine ran")'].join('\n'));
  await lab.panel.setMode('Auto');
  for (const at of seconds.keys()) {
    await lab.panel.composer.click();
    await lab.panel.say(`round ${at}`);
    await lab.panel.stands(`Round ${at}`, 'running');
    await lab.document.startCell(1);
    await lab.letGo(`go-${at}`);
    await lab.panel.stopButton.dispatchEvent('click');
    await lab.journal.turnsEnded(
      ...seconds.slice(0, at + 1).map(() => 'cancelled' as const)
    );
    await expect.poll(() => lab.jupyter.kernelState(lab.folder)).toBe('idle');
    const [, theirs] = await lab.saved();
    expect(theirs.text).toBe('mine ran\n');
    expect(theirs.count).toBe(2 * at + 4);
  }
  for (const status of await lab.journal.runStatuses()) {
    expect(['ok', 'interrupted']).toContain(status);
  }
});
