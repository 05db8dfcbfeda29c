import { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';

import type { Standing } from '../panel/ports';
import { checkFreshness, type Freshness } from './freshness';
import { LIMITS } from './limits';
import { Presence } from './presence';
import { isRunning } from './snapshot';
import { isTyping } from './typing';
import { DocumentWatch } from './watch';

/** Documents that are being read from their files. */
const underway = new WeakMap<NotebookPanel, Promise<void>>();

/**
 * Bring a document to what its file holds if that moved on; null where there is nothing to ask.
 */
export function catchUp(
  panel: NotebookPanel,
  contents: Contents.IManager
): Promise<Standing> | null {
  const { context } = panel;
  return context.isReady && !context.model.collaborative
    ? follow(panel, contents)
    : null;
}

async function follow(
  panel: NotebookPanel,
  contents: Contents.IManager
): Promise<Standing> {
  const watch = DocumentWatch.of(panel.context);
  const found = await Promise.race([
    checkFreshness(panel.context, contents, watch),
    unsureAfter(LIMITS.freshWaitMs)
  ]);
  if (found !== 'stale') {
    return 'level';
  }
  try {
    return (await refresh(panel)) ? 'level' : 'behind';
  } catch (reason) {
    console.warn('A notebook could not be read again.', reason);
    return 'behind';
  }
}

function unsureAfter(milliseconds: number): Promise<Freshness> {
  return new Promise(resolve => {
    window.setTimeout(() => resolve('unsure'), milliseconds);
  });
}

/**
 * Whether a document can be read from its file again without taking anything from the person:
 * nothing is unsaved, nobody is typing into it, and no output of a cell of theirs is on its way.
 */
export function mayRefresh(panel: NotebookPanel): boolean {
  return !panel.context.model.dirty && !isTyping(panel) && !awaitsOutput(panel);
}

/** Jupyter puts the outputs of a cell into the model that was run, which reading replaces. */
function awaitsOutput({ content, context }: NotebookPanel): boolean {
  const watch = DocumentWatch.of(context);
  return content.widgets.some(
    cell =>
      cell instanceof CodeCell &&
      watch.wasRun(cell.model.id) &&
      (isRunning(cell.model) ?? isHeard(cell))
  );
}

/** Before JupyterLab 4.3 a cell does not say that it runs, but what it listens to is there still. */
function isHeard({ outputArea }: CodeCell): boolean {
  const future = outputArea.future as
    { isDisposed: boolean } | null | undefined;
  return future ? !future.isDisposed : false;
}

/**
 * Read a document from its file again, and put the active cell and the view back; false, and
 * nothing done, if that would now take something from the person.
 */
export async function refresh(panel: NotebookPanel): Promise<boolean> {
  const reading = underway.get(panel) ?? begin(panel);
  await reading;
  return reading !== null;
}

/** Begin to read it; null if that would take something from the person. */
function begin(panel: NotebookPanel): Promise<void> | null {
  if (panel.isDisposed || !mayRefresh(panel)) {
    return null;
  }
  const reading = read(panel).finally(() => underway.delete(panel));
  underway.set(panel, reading);
  return reading;
}

async function read(panel: NotebookPanel): Promise<void> {
  const { content, context } = panel;
  const active = content.activeCell?.model.id;
  const top = content.outerNode.scrollTop;
  const presence = Presence.of(panel);
  const { isThere } = presence;
  await untouched(panel, () => context.revert());
  if (!panel.isDisposed) {
    const back = restore(panel, active, top);
    presence.begin(isThere && back);
  }
}

/** While the file is read nothing can be typed, which its content would take away again. */
async function untouched(
  { content }: NotebookPanel,
  read: () => Promise<void>
): Promise<void> {
  const focused = document.activeElement;
  const had = content.node.contains(focused);
  content.node.toggleAttribute('inert', true);
  try {
    await read();
  } finally {
    content.node.toggleAttribute('inert', false);
    if (had && document.activeElement === document.body) {
      content.node.focus();
    }
  }
}

/** Put active cell and view back; false if the cell is there no more. */
function restore(
  { content, context }: NotebookPanel,
  active: string | undefined,
  top: number
): boolean {
  // Else undo would bring the old content back.
  context.model.sharedModel.clearUndoHistory();
  const index = content.widgets.findIndex(cell => cell.model.id === active);
  if (index >= 0) {
    content.activeCellIndex = index;
  }
  requestAnimationFrame(() => {
    content.outerNode.scrollTop = top;
  });
  return index >= 0;
}
