import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type GalataOptions } from '@jupyterlab/galata';
import { defineConfig } from '@playwright/test';

import { browserPath, Home, python } from './support/home';
import { freePort } from './support/ports';

/** The settings of one run; made once, then handed to every worker through the environment. */
const env = process.env;
env.CAVE_LAB_UI_HOME ??= mkdtempSync(path.join(tmpdir(), 'cave-lab-ui-'));
env.CAVE_LAB_UI_PORT ??= '8897';
env.CAVE_LAB_UI_MODEL_PORT ??= String(freePort());
env.CAVE_LAB_UI_TOKEN ??= 'a-token-for-tests-only';

const home = Home.shared();

export default defineConfig<GalataOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './global-setup.ts',
  globalTeardown: './global-teardown.ts',
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(env.CI),
  timeout: 180_000,
  // The first call to a model loads its library, which takes its time on a busy machine.
  expect: { timeout: 30_000 },
  reporter: env.CAVE_LAB_UI_REPORT
    ? [['list'], ['json', { outputFile: env.CAVE_LAB_UI_REPORT }]]
    : [['list']],
  use: {
    baseURL: home.url,
    storageState: home.cookies,
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: browserPath(),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync'
      ]
    }
  },
  webServer: {
    command: `${python()} -m jupyterlab --config jupyter_server_test_config.py`,
    url: `${home.url}/login`,
    env: home.env,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    stderr: env.CAVE_LAB_UI_SERVER_LOG ? 'pipe' : 'ignore'
  }
});
