import type { NotebookPanel } from '@jupyterlab/notebook';

import type { IThreadModel } from '../state/client';
import { LIMITS } from './limits';
import { Pace } from './pace';
import { outlineOf, personsHash } from './sight';

/**
 * Tells the server what the person changes in the notebook while a turn runs, so that the next
 * call to the model knows.
 */
export class OutlineReporter {
  constructor(
    private readonly _thread: IThreadModel,
    again: () => void
  ) {
    this._pace = new Pace(again);
  }

  /** Send the outline if a turn runs and the person changed something since the last one. */
  offer(panel: NotebookPanel): void {
    const turn = this._thread.state?.turns.at(-1);
    if (turn?.stop_reason !== null) {
      this._sent = null;
      return;
    }
    if (!this._pace.take('outline', LIMITS.outlineMs)) {
      return;
    }
    const hash = personsHash(panel);
    const known = this._sent?.turn === turn.turn_id ? this._sent.hash : hash;
    this._sent = { turn: turn.turn_id, hash };
    if (hash !== known) {
      this._send(panel);
    }
  }

  dispose(): void {
    this._pace.dispose();
  }

  private _send(panel: NotebookPanel): void {
    this._thread.client
      .request({
        type: 'notebook.outline',
        thread_id: this._thread.threadId,
        outline: outlineOf(panel, this._thread.threadId)
      })
      .catch((reason: unknown) => {
        console.warn('The notebook’s outline was not taken.', reason);
      });
  }

  private readonly _pace: Pace;
  /** The message that began the turn brought the first outline. */
  private _sent: { turn: string; hash: string } | null = null;
}
