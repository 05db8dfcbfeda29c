import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { Part, QueuedMessage, Result } from '../protocol/generated';
import type { CommandBody, IClient, IThreadModel } from '../state/client';
import { runningTurn } from '../state/summary';
import { type IAim, sightFor, takeAim, whenKnown } from './aim';
import type { Drafts } from './drafts';
import type { INotebooks } from './ports';
import { sentence } from './sentence';
import type { Shown } from './shown';
import { textOf } from './words';

/** A message between the click and the first event of it. */
export interface IPending {
  readonly id: number;
  readonly text: string;
  /** The thread it goes to, or null while that is being made. */
  readonly threadId: string | null;
  /** The turn or queued message that it became, once the server said so. */
  readonly becomes: string | null;
  /** Whether the person has pressed Stop since. */
  readonly stopped: boolean;
}

export interface ISenderOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly shown: Shown;
  readonly drafts: Drafts;
  readonly trans: TranslationBundle;
}

/**
 * Sends what the person wrote, and stops what came of it. Text leaves the field
 * at once and comes back if the server does not take it.
 */
export class Sender {
  constructor(private readonly options: ISenderOptions) {
    options.shown.changed.connect(this._settle, this);
  }

  get changed(): ISignal<Sender, void> {
    return this._changed;
  }

  /** The messages on their way in the thread shown. */
  get pending(): readonly IPending[] {
    return this._pending;
  }

  /** Whether Stop was pressed and has not yet come through. */
  get stopping(): boolean {
    const state = this.options.shown.thread?.state ?? null;
    const turn = state && runningTurn(state);
    return turn !== null && turn.turn_id === this._stopping;
  }

  /** Why the last thing asked for was not done, or null. */
  get problem(): string | null {
    return this._problem;
  }

  /** Send text: a new turn, or the end of the queue while a turn runs. */
  async send(text: string): Promise<void> {
    const { shown, drafts, notebooks } = this.options;
    let key = shown.key;
    const aim = takeAim(shown, notebooks);
    const id = this._add(text);
    drafts.take(key, text);
    try {
      const known = shown.thread?.caughtUp ? shown.thread : null;
      const thread = known ?? (await this._thread(id));
      if (key !== thread.threadId) {
        drafts.move(key, thread.threadId);
        key = thread.threadId;
      }
      await this._deliver(id, thread, text, aim);
      drafts.accepted(key, text);
    } catch (reason) {
      drafts.putBack(key, text);
      this._drop(id);
      this.fail(reason);
    }
  }

  /** Stop the turn, from the instant that there is one. */
  async stop(): Promise<void> {
    const thread = this.options.shown.thread;
    const shown = thread?.threadId ?? null;
    this._all = this._all.map(message =>
      message.threadId === null || message.threadId === shown
        ? { ...message, stopped: true }
        : message
    );
    const turn = thread?.state && runningTurn(thread.state);
    this._stopping = turn?.turn_id ?? null;
    this._emit();
    if (thread) {
      await this.ask({ type: 'turn.stop', thread_id: thread.threadId });
    }
  }

  /** Give a queued message to the running turn, with its next result; a draft if that is refused. */
  async steer(message: QueuedMessage): Promise<void> {
    const { thread, key } = this.options.shown;
    if (thread === null || !(await this.unqueue(message))) {
      return;
    }
    const taken = await this.ask({
      type: 'message.send',
      thread_id: thread.threadId,
      content: atLeastOne(message.content),
      target: message.target,
      anchor: message.anchor,
      when: 'steer'
    });
    if (!taken) {
      this.options.drafts.putBack(key, textOf(message.content));
    }
  }

  /** Take a queued message back; false if it was gone. */
  async unqueue(message: QueuedMessage): Promise<boolean> {
    const thread = this.options.shown.thread;
    return (
      thread !== null &&
      (await this.ask({
        type: 'message.unqueue',
        thread_id: thread.threadId,
        message_id: message.message_id
      }))
    );
  }

  /** Take a queued message back into the field. */
  async edit(message: QueuedMessage): Promise<void> {
    const key = this.options.shown.key;
    if (await this.unqueue(message)) {
      this.options.drafts.putBack(key, textOf(message.content));
    }
  }

  /** Send any command; false, and a sentence in `problem`, if it was refused. */
  async ask(command: CommandBody): Promise<boolean> {
    return this.attempt(() => this.options.client.request(command));
  }

  /** Do something that may fail; false, and a sentence in `problem`, if it did. */
  async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.forget();
      return true;
    } catch (reason) {
      this.fail(reason);
      return false;
    }
  }

  /** Say what went wrong. */
  fail(reason: unknown): void {
    this._problem = sentence(reason);
    this._emit();
  }

  /** Put the last problem away. */
  forget(): void {
    if (this._problem !== null) {
      this._problem = null;
      this._emit();
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  /** The thread that the message goes to: made now, or wholly known before anything is sent. */
  private async _thread(id: number): Promise<IThreadModel> {
    const { shown, trans } = this.options;
    const { thread } = shown;
    if (thread === null) {
      return shown.ensure();
    }
    const stopped = (): boolean => this._wasStopped(id);
    await whenKnown(thread, stopped, this._changed, trans);
    return thread;
  }

  private async _deliver(
    id: number,
    thread: IThreadModel,
    text: string,
    aim: IAim
  ): Promise<void> {
    const { client, notebooks, trans } = this.options;
    this._update(id, { threadId: thread.threadId });
    if (this._wasStopped(id)) {
      throw new Error(trans.__('Stopped before the message was sent.'));
    }
    const result = await client.request({
      type: 'message.send',
      thread_id: thread.threadId,
      content: [{ type: 'text', text }],
      ...sightFor(thread, aim, notebooks)
    });
    const stopped = this._wasStopped(id);
    this._update(id, { becomes: becomes(result) });
    this._settle();
    if (stopped && result?.type === 'turn') {
      await this._stopTurn(thread.threadId, result.turn_id);
    }
  }

  /** The first Stop may have come before the turn that it was meant for. */
  private async _stopTurn(threadId: string, turnId: string): Promise<void> {
    this._stopping = turnId;
    this._emit();
    await this.ask({ type: 'turn.stop', thread_id: threadId });
  }

  private _wasStopped(id: number): boolean {
    return this._all.some(message => message.id === id && message.stopped);
  }

  /** A message is done with when its turn, or its place in the queue, is seen. */
  private _settle(): void {
    const state = this.options.shown.thread?.state;
    const seen = new Set([
      ...(state?.turns.map(turn => turn.turn_id) ?? []),
      ...(state?.queue.map(message => message.message_id) ?? [])
    ]);
    this._all = this._all.filter(
      message => message.becomes === null || !seen.has(message.becomes)
    );
    this._emit();
  }

  private _add(text: string): number {
    const id = ++this._lastId;
    const threadId = this.options.shown.thread?.threadId ?? null;
    this._all = [
      ...this._all,
      { id, text, threadId, becomes: null, stopped: false }
    ];
    this._problem = null;
    this._emit();
    return id;
  }

  private _update(id: number, fields: Partial<IPending>): void {
    this._all = this._all.map(message =>
      message.id === id ? { ...message, ...fields } : message
    );
    this._emit();
  }

  private _drop(id: number): void {
    this._all = this._all.filter(message => message.id !== id);
  }

  private _emit(): void {
    const shown = this.options.shown.thread?.threadId ?? null;
    this._pending = this._all.filter(message => message.threadId === shown);
    this._changed.emit();
  }

  private _all: readonly IPending[] = [];
  private _pending: readonly IPending[] = [];
  private _lastId = 0;
  private _stopping: string | null = null;
  private _problem: string | null = null;
  private readonly _changed = new Signal<this, void>(this);
}

function becomes(result: Result | null): string | null {
  switch (result?.type) {
    case 'turn':
      return result.turn_id;
    case 'queued':
      return result.message_id;
    default:
      return null;
  }
}

function atLeastOne(parts: readonly Part[]): [Part, ...Part[]] {
  const first = parts.at(0) ?? { type: 'text', text: '' };
  return [first, ...parts.slice(1)];
}
