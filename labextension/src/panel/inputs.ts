import { type ISignal, Signal } from '@lumino/signaling';

import type { RunState, StdinState } from '../protocol/generated';
import type { IClient } from '../state/client';
import { sentence } from './sentence';

/** A line on its way to the cell, or the sentence it came back with. */
export type InputState =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly sentence: string };

/** A run that waits for a line. */
export type AskingRun = RunState & { readonly stdin: StdinState };

/** Whether a run waits for a line now. */
export function asks(run: RunState): run is AskingRun {
  return run.stdin !== null && run.phase !== 'ended';
}

/** What a question is called among those of all runs. */
export function questionOf(run: AskingRun): string {
  return `${run.run_id}:${run.stdin.question}`;
}

/**
 * What the person types for cells that ask for input. It stays in this page's memory alone: it
 * may be a password.
 */
export class Inputs {
  constructor(private readonly client: IClient) {}

  get changed(): ISignal<Inputs, void> {
    return this._changed;
  }

  /** What stands in the field of a question. */
  text(run: AskingRun): string {
    return this._texts.get(questionOf(run)) ?? '';
  }

  setText(run: AskingRun, text: string): void {
    this._texts.set(questionOf(run), text);
    this._changed.emit();
  }

  /** Let go of what was typed for a question. */
  forget(run: AskingRun): void {
    this._texts.delete(questionOf(run));
  }

  /** Where the last answer to a question stands; null if none was given here. */
  of(run: AskingRun): InputState | null {
    return this._states.get(questionOf(run)) ?? null;
  }

  /** Give the cell the line as it stands in the field, once. */
  async send(threadId: string, run: AskingRun): Promise<void> {
    const question = questionOf(run);
    if (this.of(run)?.kind === 'sent') {
      return;
    }
    this._set(question, { kind: 'sent' });
    try {
      await this.client.request({
        type: 'stdin.answer',
        thread_id: threadId,
        run_id: run.run_id,
        question: run.stdin.question,
        value: this.text(run)
      });
      this._texts.delete(question);
    } catch (reason) {
      this._set(question, { kind: 'refused', sentence: sentence(reason) });
    }
  }

  dispose(): void {
    this._texts.clear();
    Signal.clearData(this);
  }

  private _set(question: string, state: InputState): void {
    this._states.set(question, state);
    this._changed.emit();
  }

  private readonly _texts = new Map<string, string>();
  private readonly _states = new Map<string, InputState>();
  private readonly _changed = new Signal<this, void>(this);
}
