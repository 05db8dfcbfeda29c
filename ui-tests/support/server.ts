import { type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from '@playwright/test';

import { Home, ROOT } from './home';
import { freePort } from './ports';
import { end, startPython } from './process';
import { signIn } from './signin';

const ARGUMENTS = [
  '-m',
  'jupyterlab',
  '--config',
  'jupyter_server_test_config.py'
];

/** How long a server may take to answer. */
const START_MS = 60_000;

/** A Jupyter server of a test's own, which can be stopped and started again. */
export class OwnServer {
  /** A server with folders of its own, or with the notebooks and the journal of another. */
  constructor(beside: Home | null = null) {
    const folder = mkdtempSync(path.join(tmpdir(), 'cave-lab-own-'));
    this.home = new Home(folder, freePort(), beside);
  }

  readonly home: Home;

  /** Start it with more arguments if need be, and sign in. */
  async start(...more: readonly string[]): Promise<void> {
    const { home } = this;
    this.process = startPython(
      [...ARGUMENTS, ...more],
      home.env,
      `${ROOT}/ui-tests`,
      process.env.CAVE_LAB_UI_SERVER_LOG ? 'inherit' : 'ignore'
    );
    await expect
      .poll(() => answers(home.url), { timeout: START_MS })
      .toBe(true);
    await signIn(home);
  }

  /** Stop it as an administrator does; its kernels end with it. */
  async stop(): Promise<void> {
    if (this.process) {
      await end(this.process);
      this.process = null;
    }
  }

  /** End it at once, without a chance to say good-bye. */
  async crash(): Promise<void> {
    if (this.process) {
      await end(this.process, 'SIGKILL');
      this.process = null;
    }
  }

  private process: ChildProcess | null = null;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api`).then(
    answer => answer.ok,
    () => false
  );
}
