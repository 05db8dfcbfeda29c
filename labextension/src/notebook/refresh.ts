import type { NotebookPanel } from '@jupyterlab/notebook';

import { Presence } from './presence';
import { isTyping } from './typing';

/**
 * Whether a document can be read from its file again without taking anything from the person:
 * nothing is unsaved, and nobody is typing into it.
 */
export function mayRefresh(panel: NotebookPanel): boolean {
  return !panel.context.model.dirty && !isTyping(panel);
}

/**
 * Read a document from its file again, and put the active cell and the view back; false, and
 * nothing done, if that would now take something from the person.
 */
export async function refresh(panel: NotebookPanel): Promise<boolean> {
  if (!mayRefresh(panel)) {
    return false;
  }
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
  return true;
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
