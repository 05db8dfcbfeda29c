import type { Cell } from '@jupyterlab/cells';
import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { Tally } from '../panel/ports';
import { isOurMark, METADATA_KEY, readMark } from './provenance';
import { isCode } from './snapshot';
import { DocumentWatch } from './watch';

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
  await NotebookActions.runCells(content, ownCells(panel), sessionContext);
}

/**
 * Run those of them again that had run, one after the other, up to one that fails.
 */
export async function rerunOwnCells(panel: NotebookPanel): Promise<Tally> {
  const { content, context, sessionContext } = panel;
  await sessionContext.ready;
  const watch = DocumentWatch.of(context);
  const cells = ownCells(panel).filter(cell => hasRun(cell, watch));
  for (const [ran, cell] of cells.entries()) {
    // The person may have taken it out meanwhile.
    const done =
      cell.isDisposed ||
      (await NotebookActions.runCells(content, [cell], sessionContext));
    if (!done && !mayFail(cell)) {
      return { ran, all: cells.length };
    }
  }
  return { ran: cells.length, all: cells.length };
}

/** The code cells of a notebook that are not CaveLab's. */
function ownCells({ content }: NotebookPanel): Cell[] {
  return content.widgets.filter(
    ({ model }) =>
      isCode(model) &&
      !isOurMark(readMark(model.getMetadata(METADATA_KEY)), model.id)
  );
}

/** A restart that cleared the outputs took the counts too; what ran on this page is known still. */
function hasRun({ model }: Cell, watch: DocumentWatch): boolean {
  return (
    isCode(model) && (model.executionCount !== null || watch.wasRun(model.id))
  );
}

/** Whether the person said that the cell raises, as Jupyter's own *Run All* takes it. */
function mayFail({ model, isDisposed }: Cell): boolean {
  const tags: unknown = isDisposed ? null : model.getMetadata('tags');
  return Array.isArray(tags) && tags.includes('raises-exception');
}
