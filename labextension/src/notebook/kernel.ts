import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import { isOurMark, METADATA_KEY, readMark } from './provenance';
import { isCode } from './snapshot';

/**
 * Start the kernel that a notebook asks for, or the server's default; nothing if one runs.
 *
 * @throws a sentence if there is no kernel to start
 */
export async function startKernel(
  panel: NotebookPanel,
  trans: TranslationBundle
): Promise<void> {
  const { sessionContext } = panel;
  // A notebook opened just now starts its kernel by itself.
  await sessionContext.ready;
  if (sessionContext.session?.kernel) {
    return;
  }
  await sessionContext.specsManager.ready;
  const { specs } = sessionContext.specsManager;
  const wanted = sessionContext.kernelPreference.name ?? '';
  const known = specs?.kernelspecs[wanted] !== undefined;
  const name = known ? wanted : specs?.default;
  if (!name) {
    throw new Error(
      trans.__(
        'This server has no kernel to start. Install one, then try again.'
      )
    );
  }
  await sessionContext.changeKernel({ name });
}

/**
 * Run the person's own code cells, from the first to the last, as Jupyter itself does.
 */
export async function runOwnCells(panel: NotebookPanel): Promise<void> {
  const { content, sessionContext } = panel;
  // Without a kernel Jupyter clears a cell's outputs instead of running it.
  await sessionContext.ready;
  const theirs = content.widgets.filter(
    ({ model }) =>
      isCode(model) &&
      !isOurMark(readMark(model.getMetadata(METADATA_KEY)), model.id)
  );
  await NotebookActions.runCells(content, theirs, sessionContext);
}
