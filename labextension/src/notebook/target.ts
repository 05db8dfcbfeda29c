import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';

import type { Target } from '../protocol/generated';

/**
 * A notebook's path below the server's root, without the drive it was opened through.
 */
export function pathOf(
  panel: NotebookPanel,
  contents: Contents.IManager
): string {
  return contents.localPath(panel.context.path);
}

/**
 * Find an open notebook by its path, in whichever tab.
 */
export function findPanel(
  tracker: INotebookTracker,
  contents: Contents.IManager,
  path: string
): NotebookPanel | null {
  return tracker.find(panel => pathOf(panel, contents) === path) ?? null;
}

/**
 * What a run acts on when it is sent for this notebook.
 */
export function targetOf(
  panel: NotebookPanel,
  contents: Contents.IManager,
  rootId: string
): Target {
  const { session } = panel.sessionContext;
  return {
    notebook: { root_id: rootId, path: pathOf(panel, contents) },
    session_id: session?.id ?? null,
    kernel_id: session?.kernel?.id ?? null,
    language: languageOf(panel)
  };
}

/**
 * The language of a notebook's kernel, or, before one runs, the one that the file names.
 */
export function languageOf(panel: NotebookPanel): string | null {
  const { session, specsManager } = panel.sessionContext;
  const name = session?.kernel?.name ?? '';
  const spec = specsManager.specs?.kernelspecs[name];
  return spec?.language ?? (panel.model?.defaultKernelLanguage || null);
}
