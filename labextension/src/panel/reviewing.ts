import type { TranslationBundle } from '@jupyterlab/translation';

import { CommandError, type IClient, type IThreadModel } from '../state/client';
import { linkRefusal } from '../state/refusals';
import { pathHere } from '../state/roots';
import { whenKnown } from './aim';
import type { Followed } from './followed';
import { sentence } from './sentence';

type Decision = 'kept' | 'undone';

/** The cell that the person decides about, in the notebook in which they do. */
export interface IReviewedCell {
  readonly threadId: string;
  readonly runId: string;
  /** The path of its notebook, as the server knows it. */
  readonly path: string;
  /** Carry the decision out in this notebook alone; throws a sentence if that can't be done. */
  decideHere(decision: Decision): void;
}

export interface IReviewingOptions {
  readonly client: IClient;
  readonly followed: Followed;
  readonly trans: TranslationBundle;
  /** Tell the person why nothing was done. */
  readonly say: (text: string) => void;
}

/**
 * Tells the server what the person decided about a cell, in a thread that may be shown nowhere: it
 * is followed from then on, so that its cell is marked or taken out. A cell in a copy, or of a
 * thread that is not there, is that notebook's own: the server has nothing to do with it.
 */
export function reviewing(
  options: IReviewingOptions,
  decision: Decision
): (cell: IReviewedCell) => void {
  return cell => {
    review(options, cell, decision).catch((reason: unknown) =>
      options.say(sentence(reason))
    );
  };
}

async function review(
  { client, followed, trans }: IReviewingOptions,
  cell: IReviewedCell,
  decision: Decision
): Promise<void> {
  const thread = followed.open(cell.threadId);
  await whenKnown(thread, () => isUnknown(thread), thread.changed, trans);
  const { state } = thread;
  const path = pathHere(state?.target.notebook, client.rootId);
  if (state !== null && (state.deleted || path !== cell.path)) {
    cell.decideHere(decision);
    return;
  }
  try {
    await client.request({
      type: 'cell.review',
      thread_id: cell.threadId,
      run_id: cell.runId,
      verdict: decision
    });
  } catch (reason) {
    if (!(reason instanceof CommandError && reason.code === 'not_found')) {
      throw reason;
    }
    cell.decideHere(decision);
  }
}

/** Whether the server would not show the thread: why, it says when it is asked about the cell. */
function isUnknown(thread: IThreadModel): boolean {
  return (
    thread.isDisposed ||
    (thread.readOnly !== null && linkRefusal(thread.client.link) === null)
  );
}
