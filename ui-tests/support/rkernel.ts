import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { type Home } from './home';
import { type IKernelName } from './notebook';

export const R: IKernelName = { name: 'ir', display_name: 'R', language: 'R' };

/** As IRkernel itself installs it. */
const SPEC = {
  argv: [
    'R',
    '--slave',
    '-e',
    'IRkernel::main()',
    '--args',
    '{connection_file}'
  ],
  display_name: R.display_name,
  language: R.language
};

const MISSING =
  'R and its kernel for Jupyter are needed for this test, and cannot be found. Install them: on ' +
  'Debian and Ubuntu `apt-get install --no-install-recommends r-cran-irkernel`, anywhere else R and, in it, ' +
  '`install.packages("IRkernel")`. No kernel spec is needed.';

const ASK =
  "quit(status = if (requireNamespace('IRkernel', quietly = TRUE)) 0 else 1)";

/** R's kernel, known to the tests' own server and to no other; fails with a sentence without R. */
export async function offerR(home: Home): Promise<void> {
  await promisify(execFile)('R', ['--slave', '-e', ASK]).catch(() => {
    throw new Error(MISSING);
  });
  await mkdir(folderIn(home), { recursive: true });
  const file = path.join(folderIn(home), 'kernel.json');
  await writeFile(file, JSON.stringify(SPEC));
}

/** Take the kernel back, for the tests that come after. */
export async function withdrawR(home: Home): Promise<void> {
  await rm(folderIn(home), { recursive: true, force: true });
}

function folderIn(home: Home): string {
  return path.join(home.folder('data'), 'kernels', R.name);
}
