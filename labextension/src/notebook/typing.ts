import type { NotebookPanel } from '@jupyterlab/notebook';

/** What text is put into: a cell's editor, the field of an `input()`, or one of a widget's. */
const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/**
 * Whether the person types into a notebook now.
 */
export function isTyping({ content }: NotebookPanel): boolean {
  const focused = document.activeElement;
  return (
    focused !== null &&
    content.node.contains(focused) &&
    (content.mode === 'edit' || focused.matches(FIELDS))
  );
}
