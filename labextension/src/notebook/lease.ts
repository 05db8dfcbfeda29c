import type { WriterLease } from '../protocol/generated';
import { CommandError, type IThreadModel } from '../state/client';

/**
 * Whether this page may write the thread's notebook: one page at a time may, and the server says
 * which.
 */
export class Lease {
  constructor(private readonly _thread: IThreadModel) {}

  /** Whether the lease is this page's. */
  get isOurs(): boolean {
    const holder = this._thread.lease?.holder ?? null;
    return holder !== null && holder === this._clientId;
  }

  /** Whether no page holds it. */
  get isFree(): boolean {
    return this._clientId !== null && this._thread.lease?.holder == null;
  }

  /** Ask for it, once for each time that it was seen to be free. */
  claim(): void {
    const seen = { lease: this._thread.lease, by: this._clientId };
    const again =
      this._asked?.lease === seen.lease && this._asked.by === seen.by;
    if (this.isFree && !again) {
      this._asked = seen;
      this._send('writer.claim');
    }
  }

  /** Give it back, so that another page can write. */
  release(): void {
    if (this.isOurs && this._released !== this._thread.lease) {
      this._released = this._thread.lease;
      this._send('writer.release');
    }
  }

  private get _clientId(): string | null {
    const { link } = this._thread.client;
    return link.kind === 'open' ? link.hello.client_id : null;
  }

  private _send(type: 'writer.claim' | 'writer.release'): void {
    const thread_id = this._thread.threadId;
    this._thread.client
      .request({ type, thread_id })
      .catch((reason: unknown) => {
        // Another page was faster: the server says who holds it.
        if (!(reason instanceof CommandError)) {
          console.warn(`${type} was not sent.`, reason);
        }
      });
  }

  private _asked: { lease: WriterLease | null; by: string | null } | null =
    null;
  private _released: WriterLease | null = null;
}
