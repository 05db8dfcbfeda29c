import { type Browser } from '@playwright/test';

import { Lab } from '../support/lab';
import { asked, cell, gate, say, told } from '../support/script';
import { OwnServer } from '../support/server';
import { expect, test } from '../support/test';

/** How long after the model's last word the restart is asked for, in milliseconds. */
const MOMENTS = [0, 10, 25, 50, 100, 200];

/** Writes down which process runs it; the file is there only once it is whole. */
function marks(file: string): readonly string[] {
  return [
    'import os, pathlib',
    `_ = pathlib.Path("${file}.part").write_text(str(os.getpid()))`,
    `os.replace("${file}.part", "${file}")`
  ];
}

/** A server that does not look into kernels, so that runs go out as plain requests. */
async function withoutProbe(
  browser: Browser,
  body: (lab: Lab) => Promise<void>
): Promise<void> {
  const server = new OwnServer();
  await server.start('--CaveLab.probe=False');
  const context = await browser.newContext({
    storageState: server.home.cookies
  });
  const lab = new Lab(await context.newPage(), server.home, 'race');
  await body(lab);
  await context.close();
  await server.stop();
  if (!process.env.CAVE_LAB_UI_KEEP) {
    server.home.remove();
  }
}

test('a plain run sent around a kernel restart never runs in the new kernel', async ({
  browser,
  model
}) => {
  test.slow();
  await model.play(
    told('Finished', say('Done.')),
    ...MOMENTS.map((_, at) =>
      asked(
        `round ${at}`,
        gate(`ask ${at}`),
        cell(`Round ${at}`, ...marks(`ran-${at}`))
      )
    )
  );
  await withoutProbe(browser, async lab => {
    await lab.begin(marks('mine').join('\n'));
    await lab.panel.setMode('Auto');
    const [{ kernel }] = await lab.jupyter.sessions(lab.folder);
    for (const [at, moment] of MOMENTS.entries()) {
      const before = await lab.wrote('mine');
      await lab.panel.composer.click();
      await lab.panel.say(`round ${at}`);
      await expect.poll(() => model.story()).toEqual(['begun', 'gate']);
      await model.release(`ask ${at}`);
      // Nothing is waited for here: the moment is what the rounds differ in.
      await lab.page.waitForTimeout(moment);
      await lab.jupyter.restartKernel(kernel.id);
      await expect
        .poll(async () => (await lab.journal.all('turn.ended')).length)
        .toBe(at + 1);
      // The new kernel has worked off all that lay before it once this cell has run.
      await lab.document.startCell(0);
      await expect.poll(() => lab.wrote('mine')).not.toBe(before);
      expect([null, before]).toContain(await lab.wrote(`ran-${at}`));
    }
    const runs = await lab.journal.all('run.ended');
    for (const one of (await lab.saved()).slice(1)) {
      const run = runs.find(({ run_id }) => run_id === one.mark?.run);
      expect(one.mark?.status).toBe(run?.status);
    }
  });
});
