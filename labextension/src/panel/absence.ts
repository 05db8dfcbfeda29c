import type { TranslationBundle } from '@jupyterlab/translation';

import type { IThreadModel } from '../state/client';

/**
 * Why a cell of a thread that should stand in the notebook is not in it here.
 */
export function whyAbsent(
  thread: Pick<IThreadModel, 'lease' | 'client'> | null,
  trans: TranslationBundle
): string {
  const holder = thread?.lease?.holder ?? null;
  const link = thread?.client.link;
  const own = link?.kind === 'open' ? link.hello.client_id : null;
  return holder !== null && holder !== own
    ? trans.__(
        'This tab does not have the cell yet: another tab writes this notebook. Reload it from disk after saving there, or send a message from here.'
      )
    : trans.__(
        'The cell is not in the notebook now. It may have been deleted.'
      );
}
