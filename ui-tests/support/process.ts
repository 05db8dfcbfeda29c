import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { python, ROOT } from './home';

const run = promisify(execFile);

/** What one of the helpers in Python prints for these arguments, read as JSON. */
export async function askPython<T>(
  helper: string,
  ...args: string[]
): Promise<T> {
  const { stdout } = await run(
    python(),
    [`${ROOT}/ui-tests/support/${helper}`, ...args],
    { maxBuffer: 64_000_000 }
  );
  return JSON.parse(stdout) as T;
}

/** A Python process of the tests' own, from the root of the project. */
export function startPython(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string = ROOT,
  stderr: 'inherit' | 'ignore' = 'inherit'
): ChildProcess {
  return spawn(python(), args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', stderr]
  });
}

/** The first line that a process prints; rejects if it ends without one. */
export async function firstLine(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    process.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) {
        resolve(text.slice(0, text.indexOf('\n')));
      }
    });
    process.once('exit', code => {
      reject(new Error(`A process of the tests ended early: ${code}`));
    });
  });
}

/** End a process, and wait until it has. */
export async function end(
  process: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM'
): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) {
    const exit = once(process, 'exit');
    process.kill(signal);
    await exit;
  }
}
