import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { KernelLoss } from '../protocol/generated';
import { aimedPath } from './aim';
import type { INotebooks, Tally } from './ports';
import type { Sender } from './sender';
import type { Shown } from './shown';

/** How far it is with the cells of the person's that are run again after a loss. */
export type RerunState =
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly tally: Tally };

export interface IRerunOptions {
  readonly notebooks: INotebooks;
  readonly shown: Shown;
  readonly sender: Sender;
}

/**
 * Runs the person's own cells again after the kernel lost its memory.
 */
export class Rerun {
  constructor(private readonly _options: IRerunOptions) {}

  get changed(): ISignal<Rerun, void> {
    return this._changed;
  }

  /** Where it stands with the answer to a loss; null if the cells were not run again. */
  of(threadId: string, loss: KernelLoss): RerunState | null {
    return this._states.get(keyOf(threadId, loss)) ?? null;
  }

  /** Run them in the notebook that the thread shown acts on. */
  async begin(): Promise<void> {
    const { notebooks, shown, sender } = this._options;
    const path = aimedPath(shown, notebooks);
    const { thread } = shown;
    const loss = thread?.state?.loss ?? null;
    const key = thread && loss && keyOf(thread.threadId, loss);
    if (path === null) {
      return;
    }
    this._set(key, { kind: 'running' });
    const done = await sender.attempt(async () => {
      const tally = await notebooks.rerunMine(path);
      this._set(key, { kind: 'done', tally });
    });
    if (!done) {
      this._set(key, null);
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private _set(key: string | null, state: RerunState | null): void {
    if (key !== null && state !== null) {
      this._states.set(key, state);
    } else if (key !== null) {
      this._states.delete(key);
    }
    this._changed.emit();
  }

  private readonly _states = new Map<string, RerunState>();
  private readonly _changed = new Signal<this, void>(this);
}

/** What the button says of itself where the pointer rests on it. */
export function rerunTitle(trans: TranslationBundle): string {
  return trans.__(
    'Runs again, from the top, the cells of yours that had run; stops at an error'
  );
}

/** What came of it, in a line. */
export function rerunWords(
  state: RerunState,
  trans: TranslationBundle
): string {
  return state.kind === 'running'
    ? trans.__('Running your cells again …')
    : tallyWords(state.tally, trans);
}

function tallyWords({ ran, all }: Tally, trans: TranslationBundle): string {
  if (all === 0) {
    return trans.__('No cell of yours had run, so none was run again.');
  }
  return ran === all
    ? trans._n(
        '%1 cell of yours ran again.',
        '%1 cells of yours ran again.',
        ran
      )
    : trans._n(
        '%2 of %1 cell of yours ran again, and it stopped there.',
        '%2 of %1 cells of yours ran again, and it stopped there.',
        all,
        ran
      );
}

function keyOf(threadId: string, { at }: KernelLoss): string {
  return `${threadId} ${at}`;
}
