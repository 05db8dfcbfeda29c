import { type ISignal, Signal } from '@lumino/signaling';

import type { ApprovalAnswer } from '../protocol/commands.generated';
import type { RunState } from '../protocol/generated';
import type { IClient } from '../state/client';
import type { Drafts } from './drafts';
import { sentence } from './sentence';

/**
 * *Run* does nothing for so long after a proposal came up or took the focus: a
 * person who was just pressing Run in their own cell must not approve ours. Half
 * a second is about twice the time in which a hand that is on its way can stop.
 */
export const RUN_DEAF_MS = 500;

const MARK = '=';

/** Under what an edit is kept from one page to the next. */
function keyOf(approval: { readonly approval_id: string }): string {
  return `approval:${approval.approval_id}`;
}

/** Under what the reason for a rejection is kept. */
function reasonKeyOf(approval: { readonly approval_id: string }): string {
  return `reason:${approval.approval_id}`;
}

/** An answer on its way, or the sentence it came back with. */
export type AnswerState =
  | { readonly kind: 'sending' }
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * The person's answers to proposals, each bound to the code that was shown; and
 * what they made of that code, or wrote about it, before they answered.
 */
export class Answers {
  constructor(
    private readonly client: IClient,
    private readonly drafts: Drafts
  ) {
    drafts.changed.connect(this._emit, this);
  }

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

  /** Whether the rest of a turn was allowed from here. */
  allows(turnId: string): boolean {
    return this._allowed.has(turnId);
  }

  /** Ignore *Run* for a moment. */
  hush(runId: string): void {
    this._deafUntil.set(runId, Date.now() + RUN_DEAF_MS);
  }

  isDeaf(runId: string): boolean {
    return Date.now() < (this._deafUntil.get(runId) ?? 0);
  }

  /** The code as the person is editing it, or null while they are not. */
  edit({ approval }: RunState): string | null {
    const stored = approval && this.drafts.text(keyOf(approval));
    // An edit that took everything out is one too, so that a mark stands before the code.
    return stored ? stored.slice(MARK.length) : null;
  }

  setEdit({ approval }: RunState, code: string | null): void {
    if (approval) {
      this.drafts.setText(keyOf(approval), code === null ? '' : MARK + code);
      this._emit();
    }
  }

  /** What the person made of the code of a proposal that was closed without it; null if nothing. */
  lostEdit(run: RunState): string | null {
    const open = (run.approval?.outcome ?? null) === null;
    const sending = this.of(run.run_id)?.kind === 'sending';
    const edited = this.edit(run);
    return open || sending || edited === run.code ? null : edited;
  }

  /** Why the person would reject it, as far as they have written it down; empty if they have not. */
  reason({ approval }: RunState): string {
    return approval ? this.drafts.text(reasonKeyOf(approval)) : '';
  }

  setReason({ approval }: RunState, reason: string): void {
    if (approval) {
      this.drafts.setText(reasonKeyOf(approval), reason);
      this._emit();
    }
  }

  /** The reason that was written down for a proposal that was closed without it; null if there is none. */
  lostReason(run: RunState): string | null {
    const open = (run.approval?.outcome ?? null) === null;
    const sending = this.of(run.run_id)?.kind === 'sending';
    const reason = this.reason(run).trim();
    const known = reason === '' || reason === run.approval?.reason;
    return open || sending || known ? null : reason;
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
    const edited = this.edit(run);
    const taken = await this._give(
      threadId,
      run,
      edited === null || edited === run.code
        ? { outcome: 'run', scope }
        : { outcome: 'run_edited', edited_code: edited, scope }
    );
    if (taken && scope === 'turn') {
      this._allowed.add(run.turn_id);
      this._emit();
    }
  }

  async reject(threadId: string, run: RunState, reason: string): Promise<void> {
    await this._give(threadId, run, {
      outcome: 'rejected',
      reason: reason.trim() || null
    });
  }

  dispose(): void {
    this.drafts.changed.disconnect(this._emit, this);
    Signal.clearData(this);
  }

  /** Send an answer; true if the server took it. */
  private async _give(
    threadId: string,
    run: RunState,
    answer: Pick<ApprovalAnswer, 'outcome' | 'edited_code' | 'reason' | 'scope'>
  ): Promise<boolean> {
    const { approval } = run;
    if (approval === null || this.of(run.run_id)?.kind === 'sending') {
      return false;
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
      this.setEdit(run, null);
      this.setReason(run, '');
      this._set(run.run_id, null);
      return true;
    } catch (reason) {
      this._set(run.run_id, { kind: 'refused', sentence: sentence(reason) });
      return false;
    }
  }

  private _emit(): void {
    this._changed.emit();
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
  private readonly _allowed = new Set<string>();
  private readonly _deafUntil = new Map<string, number>();
  private readonly _changed = new Signal<this, void>(this);
}
