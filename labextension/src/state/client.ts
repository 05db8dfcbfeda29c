import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Command } from '../protocol/commands.generated';
import type {
  Event,
  Hello,
  KernelState,
  Result,
  Signal,
  ThreadFault,
  ThreadState,
  WriterLease
} from '../protocol/generated';

/**
 * Where the connection to the server stands.
 */
export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly hello: Hello }
  /** Lost; the next attempt follows by itself. */
  | { readonly kind: 'waiting'; readonly attempt: number }
  /** They speak different versions: reload, or update; 0 if the server didn't tell its own. */
  | { readonly kind: 'version'; readonly server: number }
  | { readonly kind: 'forbidden' };

type WithoutId<T> = T extends unknown ? Omit<T, 'command_id'> : never;

/**
 * A command before it has its id.
 */
export type CommandBody = WithoutId<Command>;

/**
 * The server's refusal of a command; `message` is a sentence for the person.
 */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/**
 * The connection as the rest of the panel sees it.
 */
export interface IClient extends IDisposable {
  readonly link: Link;
  readonly linkChanged: ISignal<IClient, Link>;
  /** What the server calls the folder that it serves; empty until it first said so. */
  readonly rootId: string;
  /** Events of opened threads, in order, and signals. */
  readonly received: ISignal<IClient, Event | Signal>;
  /** Send a command; rejects with `CommandError`. Commands wait while the link is down. */
  request(command: CommandBody): Promise<Result | null>;
}

/**
 * One open thread: the folded state and what is only told.
 */
export interface IThreadModel extends IDisposable {
  readonly threadId: string;
  /** Null until the first event has come. */
  readonly state: ThreadState | null;
  readonly kernel: KernelState | null;
  readonly lease: WriterLease | null;
  /** Whether all stored events have been folded. */
  readonly caughtUp: boolean;
  /** Why the thread can only be read here, or null. */
  readonly readOnly: string | null;
  /** Why nothing more can be told by events, until events come again. */
  readonly fault: ThreadFault | null;
  readonly client: IClient;
  /** Ask for what is new in a thread that can only be read here; nothing tells of it by itself. */
  lookAgain(): void;
  /** Emitted at most once per animation frame while events stream. */
  readonly changed: ISignal<IThreadModel, void>;
}
