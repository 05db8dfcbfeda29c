import type { NotebookRef } from '../protocol/generated';

/**
 * Whether a notebook lies under another root than this server's: whatever its path says, it is
 * none of those here.
 */
export function isElsewhere(
  notebook: NotebookRef | null | undefined,
  rootId: string
): boolean {
  return (
    notebook != null && notebook.root_id !== '' && notebook.root_id !== rootId
  );
}

/** The path of a notebook under this server's root, or null. */
export function pathHere(
  notebook: NotebookRef | null | undefined,
  rootId: string
): string | null {
  return notebook == null || isElsewhere(notebook, rootId)
    ? null
    : notebook.path;
}

/** Whether two names may be of one notebook; one without a root may lie under any. */
export function sameNotebook(
  one: NotebookRef | null,
  other: NotebookRef | null
): boolean {
  if (one === null || other === null) {
    return one === other;
  }
  const roots = new Set([one.root_id, other.root_id]);
  roots.delete('');
  return one.path === other.path && roots.size < 2;
}

/** The key under which something is remembered for one root alone. */
export function keyAt(key: string, rootId: string): string {
  return rootId === '' ? key : `${key}@${rootId}`;
}
