import { type ISignal, Signal } from '@lumino/signaling';

import type { ApprovalAnswer } from '../protocol/commands.generated';
import type { RunState } from '../protocol/generated';
import type { IClient } from '../state/client';
import { sentence } from './sentence';

/**
 * *Run* does nothing for so long after a proposal came up or took the focus: a
 * person who was just pressing Run in their own cell must not approve ours. Half
 * a second is about twice the time in which a hand that is on its way can stop.
 */
export const RUN_DEAF_MS = 500;

/** An answer on its way, or the sentence it came back with. */
export type AnswerState =
  | { readonly kind: 'sending' }
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * The person's answers to proposals, each bound to the code that was shown; and
 * what they made of that code before they answered.
 */
export class Answers {
  constructor(private readonly client: IClient) {}

  get changed(): ISignal<Answers, void> {
    return this._changed;
  }

  /** Where the last answer to a run's proposal stands; null if none was given here. */
  of(runId: string): AnswerState | null {
    return this._states.get(runId) ?? null;
  }

  /** Whether an answer is on its way. */
  get sending(): boolean {
    return [...this._states.values()].some(state => state.kind === 'sending');
  }

  /** Ignore *Run* for a moment. */
  hush(runId: string): void {
    this._deafUntil.set(runId, Date.now() + RUN_DEAF_MS);
  }

  isDeaf(runId: string): boolean {
    return Date.now() < (this._deafUntil.get(runId) ?? 0);
  }

  /** The code as the person is editing it, or null while they are not. */
  edit(runId: string): string | null {
    return this._edits.get(runId) ?? null;
  }

  setEdit(runId: string, code: string | null): void {
    if (code === null) {
      this._edits.delete(runId);
    } else {
      this._edits.set(runId, code);
    }
    this._changed.emit();
  }

  /** Let it run, as it is shown or as it was edited; nothing while *Run* is deaf. */
  async run(
    threadId: string,
    run: RunState,
    scope: 'once' | 'turn'
  ): Promise<void> {
    if (this.isDeaf(run.run_id)) {
      return;
    }
    const edited = this.edit(run.run_id);
    await this._give(
      threadId,
      run,
      edited === null || edited === run.code
        ? { outcome: 'run', scope }
        : { outcome: 'run_edited', edited_code: edited, scope }
    );
  }

  async reject(threadId: string, run: RunState, reason: string): Promise<void> {
    await this._give(threadId, run, {
      outcome: 'rejected',
      reason: reason.trim() || null
    });
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private async _give(
    threadId: string,
    run: RunState,
    answer: Pick<ApprovalAnswer, 'outcome' | 'edited_code' | 'reason' | 'scope'>
  ): Promise<void> {
    const { approval } = run;
    if (approval === null || this.of(run.run_id)?.kind === 'sending') {
      return;
    }
    this._set(run.run_id, { kind: 'sending' });
    try {
      await this.client.request({
        type: 'approval.answer',
        thread_id: threadId,
        approval_id: approval.approval_id,
        sha256: approval.sha256,
        ...answer
      });
      this._edits.delete(run.run_id);
      this._set(run.run_id, null);
    } catch (reason) {
      this._set(run.run_id, { kind: 'refused', sentence: sentence(reason) });
    }
  }

  private _set(runId: string, state: AnswerState | null): void {
    if (state) {
      this._states.set(runId, state);
    } else {
      this._states.delete(runId);
    }
    this._changed.emit();
  }

  private readonly _states = new Map<string, AnswerState>();
  private readonly _deafUntil = new Map<string, number>();
  private readonly _edits = new Map<string, string>();
  private readonly _changed = new Signal<this, void>(this);
}
