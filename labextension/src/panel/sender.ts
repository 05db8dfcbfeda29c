import type { TranslationBundle } from '@jupyterlab/translation';
import { type ISignal, Signal } from '@lumino/signaling';

import type { Part, QueuedMessage, Result } from '../protocol/generated';
import type { CommandBody, IClient, IThreadModel } from '../state/client';
import { runningTurn } from '../state/summary';
import { type IAim, type ISeen, seenFor, takeAim, whenKnown } from './aim';
import type { Drafts } from './drafts';
import type { KernelVariables } from './kernelVariables';
import { type Content, type IPending, PendingMessages } from './pending';
import type { INotebooks } from './ports';
import { sentence } from './sentence';
import type { Shown } from './shown';
import { typedText } from './words';

/** What is done as it becomes clear where a message goes, and whether it is taken. */
interface IFate {
  readonly known?: (threadId: string) => void;
  readonly accepted?: () => void;
  readonly refused?: () => void;
}

/** A message as it goes out: what it names found, and its notebook seen. */
interface IReady extends ISeen {
  readonly content: Content;
}

export interface ISenderOptions {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly shown: Shown;
  readonly drafts: Drafts;
  readonly variables: KernelVariables;
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
    return this._shown;
  }

  /** Whether Stop was pressed and has not yet come through. */
  get stopping(): boolean {
    const state = this.options.shown.thread?.state ?? null;
    const turn = state && runningTurn(state);
    return turn !== null && turn.turn_id === this._stopping;
  }

  /** Why the last thing asked for was not done, or not as it seems; or null. */
  get problem(): string | null {
    return this._problem;
  }

  /** Send text: a new turn, or the end of the queue while a turn runs. */
  async send(text: string): Promise<void> {
    const { shown, drafts } = this.options;
    let { key } = shown;
    drafts.take(key, text);
    const move = (threadId: string): void => {
      if (key !== threadId) {
        drafts.move(key, threadId);
        key = threadId;
      }
    };
    await this._post([{ type: 'text', text }], {
      known: move,
      accepted: () => drafts.accepted(key, text),
      refused: () => drafts.putBack(key, text)
    });
  }

  /** Let code of an answer run as it stands there; the model is not asked. */
  async run(code: string, purpose = ''): Promise<void> {
    await this._post([{ type: 'cell', code, purpose }], {});
  }

  /** Stop the turn, from the instant that there is one. */
  async stop(): Promise<void> {
    const thread = this.options.shown.thread;
    this._pending.stop(thread?.threadId ?? null);
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
      this._putBack(key, message);
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
      this._putBack(key, message);
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

  /** Send a message, and tell `fate` what becomes of it. */
  private async _post(content: Content, fate: IFate): Promise<void> {
    const { shown, notebooks } = this.options;
    const aim = takeAim(shown, notebooks);
    const id = this._add(content);
    try {
      const known = shown.thread?.caughtUp ? shown.thread : null;
      const thread = known ?? (await this._thread(id));
      fate.known?.(thread.threadId);
      const found = this._find(content, thread, aim);
      const ready = found instanceof Promise ? await found : found;
      this._update(id, { content: ready.content });
      await this._deliver(id, thread, ready);
      fate.accepted?.();
      if (ready.behind) {
        this.fail(this._behind());
      }
    } catch (reason) {
      fate.refused?.();
      this._pending.drop(id);
      this.fail(reason);
    }
  }

  /**
   * Find what a text names and what its notebook looks like: at once where all is known, else after
   * what goes to the thread before.
   */
  private _find(
    content: Content,
    thread: IThreadModel,
    aim: IAim
  ): IReady | Promise<IReady> {
    const { variables, notebooks } = this.options;
    const { threadId } = thread;
    const text = typedText(content);
    const known = text === '' ? content : variables.readNow(text, threadId);
    const seen = seenFor(thread, aim, notebooks);
    const before = this._finding.get(threadId);
    if (known && !(seen instanceof Promise) && before === undefined) {
      return { content: known, ...seen };
    }
    const read = async (): Promise<Content> => {
      await before;
      return text === '' ? content : variables.read(text, threadId);
    };
    const found = Promise.all([read(), seen]).then(([exact, one]): IReady => ({
      content: exact,
      ...one
    }));
    const done = found.then(() => {
      if (this._finding.get(threadId) === done) {
        this._finding.delete(threadId);
      }
    });
    this._finding.set(threadId, done);
    return found;
  }

  private _behind(): string {
    return this.options.trans.__(
      'This notebook is newer on disk, and was not read again: here it has unsaved changes, or a cell that you run or type in, or its file did not come. CaveLab was told of it as it stands here. Save it, and Jupyter asks which of the two to keep.'
    );
  }

  /** What was typed of a message goes back into the field; a cell is still in its answer. */
  private _putBack(key: string, { content }: QueuedMessage): void {
    const typed = typedText(content);
    if (typed !== '') {
      this.options.drafts.putBack(key, typed);
    }
  }

  /** The thread that the message goes to: made now, or wholly known before anything is sent. */
  private async _thread(id: number): Promise<IThreadModel> {
    const { shown, trans } = this.options;
    const { thread } = shown;
    if (thread === null) {
      return shown.ensure();
    }
    const stopped = (): boolean => this._pending.wasStopped(id);
    await whenKnown(thread, stopped, this._changed, trans);
    return thread;
  }

  private async _deliver(
    id: number,
    thread: IThreadModel,
    { content, sight }: IReady
  ): Promise<void> {
    const { client, trans } = this.options;
    this._update(id, { threadId: thread.threadId });
    if (this._pending.wasStopped(id)) {
      throw new Error(trans.__('Stopped before the message was sent.'));
    }
    const result = await client.request({
      type: 'message.send',
      thread_id: thread.threadId,
      content,
      ...sight
    });
    const stopped = this._pending.wasStopped(id);
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

  private _settle(): void {
    this._pending.settle(this.options.shown.thread?.state ?? null);
    this._emit();
  }

  private _add(content: Content): number {
    const threadId = this.options.shown.thread?.threadId ?? null;
    const id = this._pending.add(content, threadId);
    this._problem = null;
    this._emit();
    return id;
  }

  private _update(id: number, fields: Partial<IPending>): void {
    this._pending.update(id, fields);
    this._emit();
  }

  private _emit(): void {
    const { thread } = this.options.shown;
    this._shown = this._pending.in(thread?.threadId ?? null);
    this._changed.emit();
  }

  private _shown: readonly IPending[] = [];
  private readonly _pending = new PendingMessages();
  /** In which threads something is asked for messages; none that comes now may overtake them. */
  private readonly _finding = new Map<string, Promise<void>>();
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

function atLeastOne(parts: readonly Part[]): Content {
  const first = parts.at(0) ?? { type: 'text', text: '' };
  return [first, ...parts.slice(1)];
}
