import type { NotebookPanel } from '@jupyterlab/notebook';

/**
 * Whether a document can be read from its file again without taking anything from the person:
 * nothing is unsaved, and nobody is typing into it.
 */
export function mayRefresh(panel: NotebookPanel): boolean {
  const { content, context } = panel;
  const typing =
    content.mode === 'edit' && content.node.contains(document.activeElement);
  return !context.model.dirty && !typing;
}

/**
 * Read a document from its file again, and put the active cell and the view back.
 */
export async function refresh(panel: NotebookPanel): Promise<void> {
  const { content, context } = panel;
  const active = content.activeCell?.model.id;
  const top = content.outerNode.scrollTop;
  await context.revert();
  if (panel.isDisposed) {
    return;
  }
  // Else undo would bring the old content back.
  context.model.sharedModel.clearUndoHistory();
  const index = content.widgets.findIndex(cell => cell.model.id === active);
  if (index >= 0) {
    content.activeCellIndex = index;
  }
  requestAnimationFrame(() => {
    content.outerNode.scrollTop = top;
  });
}
