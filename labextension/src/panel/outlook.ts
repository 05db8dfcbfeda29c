import { JSONExt } from '@lumino/coreutils';

import type {
  Mode,
  QueuedMessage,
  ThreadState,
  TurnState
} from '../protocol/generated';
import type { IClient, IThreadModel, Link } from '../state/client';
import { runningTurn } from '../state/summary';
import { bindingOf, type IBinding } from './binding';
import type { Followed } from './followed';
import type { INotebooks } from './ports';
import type { Sender } from './sender';
import type { ServerInfo } from './serverInfo';
import type { Shown } from './shown';
import { typedText } from './words';

const PLAIN = 'text/plain';

/** What the journal calls it that the person allowed the rest of a turn. */
const FOR_TURN = 'scope:turn';

/** What an outlook is derived from. */
export interface ISources {
  readonly client: IClient;
  readonly notebooks: INotebooks;
  readonly shown: Shown;
  readonly sender: Sender;
  readonly server: ServerInfo;
  readonly followed: Followed;
  /** The mime type of a kernel's language. */
  readonly mimeTypeOf: (language: string | null) => string;
}

/**
 * What the panel shows, derived from where things stand; it changes nothing.
 */
export class Outlook {
  constructor(private readonly _sources: ISources) {}

  get link(): Link {
    return this._sources.client.link;
  }

  /** Whether there was a connection to the server and there is none now. */
  get lost(): boolean {
    const { client } = this._sources;
    return client.link.kind !== 'open' && client.rootId !== '';
  }

  get thread(): IThreadModel | null {
    return this._sources.shown.thread;
  }

  get state(): ThreadState | null {
    return this.thread?.state ?? null;
  }

  /** The turn that runs, or null. */
  get turn(): TurnState | null {
    return this.state === null ? null : runningTurn(this.state);
  }

  /** Whether there is something to stop: a turn, or a message that will be one. */
  get busy(): boolean {
    const { pending } = this._sources.sender;
    return this.turn !== null || pending.some(message => !message.stopped);
  }

  /** What the thread acts on; the same object as long as nothing of it changes. */
  get binding(): IBinding | null {
    const { thread } = this;
    // A server that only reads the thread does not look after its kernel: the page knows better.
    const kernel = thread?.readOnly == null ? (thread?.kernel ?? null) : null;
    const { client, notebooks } = this._sources;
    const seen = bindingOf(this.state, kernel, notebooks, client.rootId);
    const now =
      seen && this.lost
        ? { ...seen, activity: 'not_connected' as const, queued: 0 }
        : seen;
    if (!JSONExt.deepEqual({ ...now }, { ...this._binding })) {
      this._binding = now;
    }
    return this._binding;
  }

  /** The mode of the thread, or the one it would begin with. */
  get mode(): Mode {
    const { shown, server } = this._sources;
    const own = this.state?.mode ?? shown.fresh.mode;
    return own ?? server.status?.default_mode ?? 'review';
  }

  /** Whether a cell of the turn that runs went ahead because the person had allowed all of them. */
  get allowedForTurn(): boolean {
    const { state, turn } = this;
    return Object.values(state?.runs ?? {}).some(
      run =>
        run.turn_id === turn?.turn_id && run.approval?.allowed_by === FOR_TURN
    );
  }

  /** The typed message that waits last in the queue, or null. */
  get lastQueued(): QueuedMessage | null {
    const queue = this.state?.queue ?? [];
    const typed = queue.filter(({ content }) => typedText(content) !== '');
    return typed.at(-1) ?? null;
  }

  /** What the person typed last that has become a turn, or null. */
  get lastMessage(): string | null {
    const turns = this.state?.turns ?? [];
    const typed = turns.map(turn => typedText(turn.content));
    return typed.filter(text => text !== '').at(-1) ?? null;
  }

  /** The model that the next message goes to, or null if none is chosen. */
  get modelName(): string | null {
    const { shown, server } = this._sources;
    const own = this.state ? this.state.model : shown.fresh.model;
    return own ?? server.status?.model?.model ?? null;
  }

  /** Whether the thread's words come from the tour's script. */
  get scripted(): boolean {
    const tour = this._sources.server.status?.tour_model;
    return tour !== undefined && this.modelName === tour;
  }

  /** The mime type of the code in the thread. */
  get mimeType(): string {
    const { binding } = this;
    const { notebooks, mimeTypeOf } = this._sources;
    const here = binding !== null && !binding.elsewhere;
    const open = here ? notebooks.find(binding.path) : null;
    // Before its kernel has answered, a notebook takes its code for plain text.
    return open && open.mimeType !== PLAIN
      ? open.mimeType
      : mimeTypeOf(binding?.language ?? null);
  }

  /** Why the thread's cells are not put into its notebook now, or null. */
  get writerProblem(): string | null {
    const id = this.thread?.threadId;
    return id === undefined ? null : this._sources.followed.problem(id);
  }

  /** Whether proposals can be answered on this connection. */
  get mayApprove(): boolean {
    return this.link.kind !== 'open' || this.link.hello.may_approve;
  }

  /** Whether a mode may be chosen. */
  offers(mode: Mode | null): boolean {
    const allowed = this._sources.server.status?.allowed_modes;
    return mode !== null && (allowed?.includes(mode) ?? true);
  }

  private _binding: IBinding | null = null;
}
