import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';

import type { DocumentWatch } from './watch';

/**
 * How a document stands to its file: `unsure` while a save is on its way.
 */
export type Freshness = 'fresh' | 'stale' | 'unsure';

/**
 * Compare the file with what was last read or written of it: another tab or program may have
 * changed it, and no one is told. A file that can't be asked about counts as fresh; saving will
 * say what is wrong with it.
 */
export async function checkFreshness(
  context: DocumentRegistry.IContext<INotebookModel>,
  contents: Contents.IManager,
  watch: DocumentWatch
): Promise<Freshness> {
  if (context.model.collaborative) {
    return 'fresh';
  }
  const { saves, epoch } = watch;
  let file: Contents.IModel;
  try {
    file = await contents.get(context.path, { content: false, hash: true });
  } catch {
    return 'fresh';
  }
  if (context.isDisposed || watch.saves !== saves || watch.epoch !== epoch) {
    return 'unsure';
  }
  if (isSame(file, context.contentsModel)) {
    return 'fresh';
  }
  return watch.saving ? 'unsure' : 'stale';
}

function isSame(
  file: Contents.IModel,
  known: Omit<Contents.IModel, 'content'> | null
): boolean {
  if (!known) {
    return true;
  }
  return file.hash && known.hash
    ? file.hash === known.hash
    : file.last_modified === known.last_modified;
}
