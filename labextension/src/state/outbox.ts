import type { Command } from '../protocol/commands.generated';
import type { CommandOk, CommandRejected, Result } from '../protocol/generated';
import { CommandError } from './client';
import { LIMITS } from './limits';
import { refusal } from './refusals';

/** A command whose reply has not come. */
interface IWaiting {
  readonly command: Command;
  readonly text: string;
  sent: boolean;
  readonly resolve: (result: Result | null) => void;
  readonly reject: (error: CommandError) => void;
}

/** What belongs to one connection and ends with it: to be asked for again, not sent again. */
const OF_CONNECTION: ReadonlySet<Command['type']> = new Set([
  'thread.open',
  'writer.claim'
]);

/** What the end of a connection has carried out by itself. */
const DONE_BY_CLOSING: ReadonlySet<Command['type']> = new Set([
  'thread.close',
  'writer.release'
]);

/**
 * The commands that wait for their replies, in the order they were asked for.
 */
export class Outbox {
  private readonly _waiting = new Map<string, IWaiting>();

  /**
   * Keep a command until its reply; rejects with `CommandError` if it can't be kept.
   */
  add(command: Command): Promise<Result | null> {
    const text = JSON.stringify(command);
    const whyNot = this._whyNot(text);
    if (whyNot !== null) {
      return Promise.reject(whyNot);
    }
    return new Promise((resolve, reject) => {
      const entry = { command, text, sent: false, resolve, reject };
      this._waiting.set(command.command_id, entry);
    });
  }

  /**
   * Take what has not been sent, oldest first; it counts as sent from here on.
   */
  take(): string[] {
    const unsent = [...this._waiting.values()].filter(entry => !entry.sent);
    return unsent.map(entry => {
      entry.sent = true;
      return entry.text;
    });
  }

  /**
   * Give a reply to whoever waits for it; false if nobody does.
   */
  settle(reply: CommandOk | CommandRejected): boolean {
    const entry = this._remove(reply.command_id);
    if (entry === null) {
      return false;
    }
    if (reply.type === 'command.ok') {
      entry.resolve(reply.result);
    } else {
      entry.reject(new CommandError(reply.code, reply.message));
    }
    return true;
  }

  /**
   * The connection is gone: what it left unanswered goes out again with the same id, which the
   * server carries out once.
   */
  linkLost(): void {
    for (const entry of [...this._waiting.values()].filter(one => one.sent)) {
      const { type, command_id } = entry.command;
      if (OF_CONNECTION.has(type)) {
        this._remove(command_id);
        entry.reject(refusal('link_lost'));
      } else if (DONE_BY_CLOSING.has(type)) {
        this._remove(command_id);
        entry.resolve(null);
      } else {
        entry.sent = false;
      }
    }
  }

  /**
   * Give up on all that waits, or on what was sent.
   */
  rejectAll(error: CommandError, which: 'all' | 'sent' = 'all'): void {
    for (const entry of [...this._waiting.values()]) {
      if (which === 'all' || entry.sent) {
        this._remove(entry.command.command_id);
        entry.reject(error);
      }
    }
  }

  private _whyNot(text: string): CommandError | null {
    if (this._waiting.size >= LIMITS.waitingCommands) {
      return refusal('too_many_waiting');
    }
    if (new TextEncoder().encode(text).length > LIMITS.frameBytes) {
      return refusal('frame_too_big');
    }
    return null;
  }

  private _remove(id: string | null): IWaiting | null {
    const entry = id === null ? undefined : this._waiting.get(id);
    if (entry === undefined) {
      return null;
    }
    this._waiting.delete(entry.command.command_id);
    return entry;
  }
}
