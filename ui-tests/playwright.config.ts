import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type GalataOptions } from '@jupyterlab/galata';
import { defineConfig } from '@playwright/test';

/** The settings of one run; made once, then handed to every worker through the environment. */
const env = process.env;
env.CAVE_LAB_UI_HOME ??= mkdtempSync(path.join(tmpdir(), 'cave-lab-ui-'));
env.CAVE_LAB_UI_PORT ??= '8897';
env.CAVE_LAB_UI_TOKEN ??= 'a-token-for-tests-only';

const home = env.CAVE_LAB_UI_HOME;
const baseURL = `http://127.0.0.1:${env.CAVE_LAB_UI_PORT}`;

function folder(name: string): string {
  const made = path.join(home, name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** The browser named by the environment, else Debian's; none means Playwright's own. */
function browser(): string | undefined {
  if (env.CAVE_LAB_CHROMIUM) {
    return env.CAVE_LAB_CHROMIUM;
  }
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined;
}

const serverEnv = {
  ...(env as Record<string, string>),
  IPYTHONDIR: folder('ipython'),
  JUPYTERLAB_GALATA_ROOT_DIR: folder('root'),
  JUPYTER_CONFIG_DIR: folder('config'),
  JUPYTER_DATA_DIR: folder('data'),
  JUPYTER_RUNTIME_DIR: folder('runtime')
};

export default defineConfig<GalataOptions>({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './global-setup.ts',
  globalTeardown: './global-teardown.ts',
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(env.CI),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: env.CAVE_LAB_UI_REPORT
    ? [['list'], ['json', { outputFile: env.CAVE_LAB_UI_REPORT }]]
    : [['list']],
  use: {
    baseURL,
    storageState: path.join(home, 'cookies.json'),
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: browser(),
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
    command: `${env.CAVE_LAB_UI_PYTHON ?? 'python'} -m jupyterlab --config jupyter_server_test_config.py`,
    url: `${baseURL}/login`,
    env: serverEnv,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    stderr: env.CAVE_LAB_UI_SERVER_LOG ? 'pipe' : 'ignore'
  }
});
