import { randomUUID } from 'node:crypto';

import { expect, test as base } from '@playwright/test';

import { Home } from './home';
import { JupyterApi } from './jupyter';
import { Lab } from './lab';
import { ScriptedModel } from './model';
import { OwnSettings } from './settings';

export { expect };

interface ITools {
  /** The scripted model; a test fails if a request found no answer in its script. */
  readonly model: ScriptedModel;
  /** A person at a notebook of the test's own, on the server that all tests share. */
  readonly lab: Lab;
  /** The person's settings on that server; what a test changes of them is put back behind it. */
  readonly settings: OwnSettings;
}

export const test = base.extend<
  ITools,
  { readonly modelServer: ScriptedModel }
>({
  modelServer: [
    // Playwright reads what a fixture needs from the braces.
    // eslint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const model = await ScriptedModel.start();
      await provide(model);
      await model.stop();
    },
    { scope: 'worker' }
  ],
  model: async ({ modelServer }, provide) => {
    await modelServer.play();
    await provide(modelServer);
    expect(await modelServer.mismatches()).toEqual([]);
  },
  lab: async ({ page }, provide) => {
    const home = Home.shared();
    const folder = `test-${randomUUID().slice(0, 8)}`;
    await provide(new Lab(page, home, folder));
    await new JupyterApi(home).shutDown(folder);
  },
  settings: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const settings = await OwnSettings.of(Home.shared());
      const before = await settings.status();
      await provide(settings);
      await settings.restore(before);
      await settings.dispose();
    },
    { auto: true }
  ]
});
