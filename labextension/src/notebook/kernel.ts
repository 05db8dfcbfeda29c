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
 * Run those of them again that had run, as one batch: Jupyter stops at one that fails, and what the
 * person types meanwhile stays where they type it.
 */
export async function rerunOwnCells(panel: NotebookPanel): Promise<Tally> {
  const { content, context, sessionContext } = panel;
  await sessionContext.ready;
  const cells = hadRun(ownCells(panel), DocumentWatch.of(context));
  const ids = new Set(cells.map(({ model }) => model.id));
  const again = new Set<string>();
  const note = (_: unknown, one: { cell: Cell; success: boolean }): void => {
    const { model } = one.cell;
    if (ids.has(model.id) && (one.success || mayFail(one.cell))) {
      again.add(model.id);
    }
  };
  NotebookActions.executed.connect(note);
  try {
    await NotebookActions.runCells(content, cells, sessionContext);
  } finally {
    NotebookActions.executed.disconnect(note);
  }
  return { ran: again.size, all: cells.length };
}

/** The code cells of a notebook that are not CaveLab's. */
function ownCells({ content }: NotebookPanel): Cell[] {
  return content.widgets.filter(
    ({ model }) =>
      isCode(model) &&
      !isOurMark(readMark(model.getMetadata(METADATA_KEY)), model.id)
  );
}

/**
 * Those that ran on this page. A count may come from the file, of cells that nobody ran this time:
 * it is believed only where nothing ran here, as behind a reload of the page.
 */
function hadRun(cells: readonly Cell[], watch: DocumentWatch): Cell[] {
  const here = cells.filter(({ model }) => watch.wasRun(model.id));
  return here.length > 0
    ? here
    : cells.filter(
        ({ model }) => isCode(model) && model.executionCount !== null
      );
}

/** Whether the person said that the cell raises, as Jupyter's own *Run All* takes it. */
function mayFail({ model }: Cell): boolean {
  const tags: unknown = model.getMetadata('tags');
  return Array.isArray(tags) && tags.includes('raises-exception');
}
