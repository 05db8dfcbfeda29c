import type { IClient } from '../state/client';
import type { Followed } from './followed';

/** The run that a cell in a notebook belongs to. */
export interface IRunRef {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Tells the server what the person decided about a cell, in a thread that may be shown nowhere:
 * it is followed from then on, so that its cell is marked or taken out.
 */
export function reviewing(
  client: IClient,
  followed: Followed,
  verdict: 'kept' | 'undone'
): (run: IRunRef) => void {
  return ({ threadId, runId }) => {
    followed.open(threadId);
    client
      .request({
        type: 'cell.review',
        thread_id: threadId,
        run_id: runId,
        verdict
      })
      .catch((reason: unknown) => {
        console.warn('The review of a cell was not taken.', reason);
      });
  };
}
