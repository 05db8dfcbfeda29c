import type { TranslationBundle } from '@jupyterlab/translation';

import type { NextStep, RunState, TurnState } from '../protocol/generated';
import { never } from '../state/never';
import { aimedPath } from './aim';
import type { INotebooks } from './ports';
import type { Rerun } from './rerun';
import type { Sender } from './sender';
import type { Shown } from './shown';
import { cellOf, typedText } from './words';

export interface IStepsOptions {
  readonly sender: Sender;
  readonly shown: Shown;
  readonly notebooks: INotebooks;
  readonly rerun: Rerun;
  readonly trans: TranslationBundle;
  readonly openSettings: () => void;
  /** Put the focus into the composer, where it stays when the step's button goes away. */
  readonly focus: () => void;
}

/**
 * Carries out the next steps that notices offer, each by a click of the person's.
 */
export class Steps {
  constructor(private readonly options: IStepsOptions) {}

  /**
   * Do a step; `turn` is the turn that it is offered for. While it is being done, a second click
   * on it does nothing.
   */
  async take(step: NextStep, turn: TurnState | null): Promise<void> {
    if (step === 'open_model_settings') {
      this.options.openSettings();
      return;
    }
    this.options.focus();
    if (this._underway.has(step)) {
      return;
    }
    this._underway.add(step);
    try {
      await this._take(step, turn);
    } finally {
      this._underway.delete(step);
    }
  }

  /** Ask for a cell again whose approval was closed before it was answered. */
  async askAgain(run: RunState): Promise<void> {
    const { sender, trans, focus } = this.options;
    focus();
    await sender.send(
      run.purpose === ''
        ? trans.__('Propose the last cell again.')
        : trans.__('Propose this cell again: %1', run.purpose)
    );
  }

  private async _take(
    step: Exclude<NextStep, 'open_model_settings'>,
    turn: TurnState | null
  ): Promise<void> {
    const { sender, shown, trans } = this.options;
    switch (step) {
      case 'try_again':
        return turn === null ? undefined : this._again(turn);
      case 'new_thread':
        shown.begin();
        return;
      case 'restart_kernel':
        return this._choose('restart');
      case 'wait_for_kernel':
        return this._choose('wait');
      case 'continue_without':
        return this._choose('continue');
      case 'rerun_my_cells':
        return this.options.rerun.begin();
      case 'start_kernel':
        return this._onNotebook(path =>
          this.options.notebooks.startKernel(path)
        );
      case 'ask_again':
        return sender.send(trans.__('Propose the last cell again.'));
      case 'reload_page':
        window.location.reload();
        return;
      case 'go_on':
        return sender.send(trans.__('Go on.'));
      case 'extend_budget':
        return this._extendBudget();
      default:
        return never(step);
    }
  }

  /** Send the message of a turn again, or let the cell run that it was about. */
  private async _again({ content }: TurnState): Promise<void> {
    const { sender } = this.options;
    const cell = cellOf(content);
    await (cell === null
      ? sender.send(typedText(content))
      : sender.run(cell.code, cell.purpose));
  }

  /**
   * Count the thread's budget from here, and go on with what the turn was about; in no other thread
   * that is looked at by then.
   */
  private async _extendBudget(): Promise<void> {
    const { sender, shown, trans } = this.options;
    const { thread } = shown;
    const extended =
      thread !== null &&
      (await sender.ask({
        type: 'thread.change',
        thread_id: thread.threadId,
        extend_budget: true
      }));
    if (extended && shown.thread === thread) {
      await sender.send(trans.__('Go on.'));
    }
  }

  private async _choose(
    choice: 'wait' | 'restart' | 'continue'
  ): Promise<void> {
    const thread = this.options.shown.thread;
    if (thread) {
      await this.options.sender.ask({
        type: 'kernel.choice',
        thread_id: thread.threadId,
        choice
      });
    }
  }

  private async _onNotebook(
    action: (path: string) => Promise<void>
  ): Promise<void> {
    const path = aimedPath(this.options.shown, this.options.notebooks);
    if (path !== null) {
      await this.options.sender.attempt(() => action(path));
    }
  }

  private readonly _underway = new Set<NextStep>();
}
