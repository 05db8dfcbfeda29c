import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import { Signal as Emitter, type ISignal } from '@lumino/signaling';

import type { Command } from './protocol/commands.generated';
import type {
  CommandOk,
  CommandRejected,
  Event as ThreadEvent,
  Hello,
  Result,
  Signal
} from './protocol/generated';
import { parseFrame } from './protocol/guards';
import { Backoff, type IBackoffTimes } from './state/backoff';
import type { CommandBody, IClient, Link } from './state/client';
import { LIMITS } from './state/limits';
import { Outbox } from './state/outbox';
import { linkRefusal, refusal } from './state/refusals';

/** The version of the protocol that this page speaks. */
export const PROTOCOL_VERSION = 1;

/** Close codes of the server that decide what comes next; after all others it is tried again. */
const CLOSE_VERSION = 4002;
const CLOSE_FORBIDDEN = 4003;
const CLOSE_ABUSE = 1008;
const CLOSE_TOO_BIG = 1009;

/** The server refused this page's version without telling its own. */
const UNKNOWN_VERSION = 0;

/**
 * How a connection is made.
 */
export interface IConnectionOptions {
  readonly settings?: ServerConnection.ISettings;
  /** When to try again. */
  readonly retry?: IBackoffTimes;
}

/**
 * The one websocket to the server: it is made again when lost, and what was unanswered is sent
 * again under the same id.
 */
export class Connection implements IClient {
  private readonly _settings: ServerConnection.ISettings;
  private readonly _outbox = new Outbox();
  private readonly _backoff: Backoff;
  private readonly _linkChanged = new Emitter<IClient, Link>(this);
  private readonly _received = new Emitter<IClient, ThreadEvent | Signal>(this);
  private _link: Link = { kind: 'connecting' };
  private _socket: WebSocket | null = null;
  private _timer = 0;
  private _openedAt = 0;
  private _rootId = '';
  private _isDisposed = false;

  constructor(options: IConnectionOptions = {}) {
    this._settings = options.settings ?? ServerConnection.makeSettings();
    this._backoff = new Backoff(options.retry);
    window.addEventListener('online', this._retryNow);
    document.addEventListener('visibilitychange', this._retryWhenSeen);
    this._connect();
  }

  /** Where the connection stands. */
  get link(): Link {
    return this._link;
  }

  /** Emitted when that changes. */
  get linkChanged(): ISignal<IClient, Link> {
    return this._linkChanged;
  }

  /** Events of opened threads, in order, and signals. */
  get received(): ISignal<IClient, ThreadEvent | Signal> {
    return this._received;
  }

  get rootId(): string {
    return this._rootId;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /**
   * Send a command, or keep it until the connection is back; rejects with `CommandError`.
   */
  request(body: CommandBody): Promise<Result | null> {
    const final = this._isDisposed
      ? refusal('closed')
      : linkRefusal(this._link);
    if (final !== null) {
      return Promise.reject(final);
    }
    const command: Command = { ...body, command_id: UUID.uuid4() };
    const reply = this._outbox.add(command);
    this._flush();
    return reply;
  }

  /**
   * Try again now, also after the server refused.
   */
  retry(): void {
    if (this._socket === null && !this._isDisposed) {
      this._connect();
    }
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    window.removeEventListener('online', this._retryNow);
    document.removeEventListener('visibilitychange', this._retryWhenSeen);
    this._drop();
    this._outbox.rejectAll(refusal('closed'));
    Emitter.clearData(this);
  }

  private readonly _retryNow = (): void => {
    if (this._link.kind === 'waiting') {
      this.retry();
    }
  };

  private readonly _retryWhenSeen = (): void => {
    if (document.visibilityState === 'visible') {
      this._retryNow();
    }
  };

  private _connect(): void {
    window.clearTimeout(this._timer);
    this._setLink({ kind: 'connecting' });
    const socket = new this._settings.WebSocket(channelUrl(this._settings));
    this._socket = socket;
    this._openedAt = 0;
    this._timer = window.setTimeout(() => this._lost(0), LIMITS.helloMs);
    // An error is always followed by a close, which says more.
    socket.onclose = ({ code }) =>
      this._ifCurrent(socket, () => this._lost(code));
    socket.onmessage = ({ data }) =>
      this._ifCurrent(socket, () => this._onText(String(data)));
  }

  private _ifCurrent(socket: WebSocket, act: () => void): void {
    if (socket === this._socket) {
      act();
    }
  }

  private _onText(text: string): void {
    const frame = parseFrame(text);
    if (frame === null) {
      console.error(
        `CaveLab can't read what the server sent; reload the page. It began: ${text.slice(0, 200)}`
      );
      return;
    }
    switch (frame.type) {
      case 'hello':
        this._onHello(frame);
        break;
      case 'command.ok':
      case 'command.rejected':
        this._onReply(frame);
        break;
      default:
        this._received.emit(frame);
    }
  }

  private _onHello(hello: Hello): void {
    if (hello.protocol_version !== PROTOCOL_VERSION) {
      this._stop({ kind: 'version', server: hello.protocol_version });
      return;
    }
    window.clearTimeout(this._timer);
    this._openedAt = Date.now();
    this._rootId = hello.root_id;
    this._setLink({ kind: 'open', hello });
    this._flush();
  }

  private _onReply(reply: CommandOk | CommandRejected): void {
    if (!this._outbox.settle(reply) && reply.type === 'command.rejected') {
      console.error(`CaveLab: the server refused a frame. ${reply.message}`);
    }
  }

  private _flush(): void {
    if (this._link.kind === 'open' && this._socket !== null) {
      for (const text of this._outbox.take()) {
        this._socket.send(text);
      }
    }
  }

  private _lost(code: number): void {
    const openMs = this._openedAt === 0 ? 0 : Date.now() - this._openedAt;
    this._drop();
    if (code === CLOSE_VERSION) {
      this._stop({ kind: 'version', server: UNKNOWN_VERSION });
    } else if (code === CLOSE_FORBIDDEN) {
      this._stop({ kind: 'forbidden' });
    } else {
      this._wait(code, openMs);
    }
  }

  private _wait(code: number, openMs: number): void {
    if (code === CLOSE_ABUSE || code === CLOSE_TOO_BIG) {
      // Sent again they would only close the next connection too.
      this._outbox.rejectAll(refusal('refused'), 'sent');
    }
    this._outbox.linkLost();
    const delay = this._backoff.lost(openMs);
    this._timer = window.setTimeout(() => this._connect(), delay);
    this._setLink({ kind: 'waiting', attempt: this._backoff.attempt });
    if (this._openedAt === 0) {
      void this._askWhy();
    }
  }

  /** A refused handshake looks like a dead network to the page; plain HTTP tells them apart. */
  private async _askWhy(): Promise<void> {
    const url = URLExt.join(this._settings.baseUrl, 'cave-lab', 'status');
    const status = await ServerConnection.makeRequest(
      url,
      {},
      this._settings
    ).then(response => response.status, whenUnreachable);
    const refused = status === 401 || status === 403;
    if (refused && this._link.kind === 'waiting') {
      this._stop({ kind: 'forbidden' });
    }
  }

  private _stop(link: Extract<Link, { kind: 'version' | 'forbidden' }>): void {
    this._drop();
    this._setLink(link);
    this._outbox.rejectAll(refusal(link.kind));
  }

  private _drop(): void {
    window.clearTimeout(this._timer);
    const socket = this._socket;
    this._socket = null;
    socket?.close();
  }

  private _setLink(link: Link): void {
    this._link = link;
    this._linkChanged.emit(link);
  }
}

/** The channel's address; the token goes along where the page's cookie can't. */
function channelUrl(settings: ServerConnection.ISettings): string {
  const query: Record<string, string> = { protocol: String(PROTOCOL_VERSION) };
  if (settings.appendToken && settings.token !== '') {
    query.token = settings.token;
  }
  const url = URLExt.join(settings.wsUrl, 'cave-lab', 'channel');
  return url + URLExt.objectToQueryString(query);
}

/** The link says so already; any other error is a mistake of ours. */
function whenUnreachable(error: unknown): number {
  if (error instanceof ServerConnection.NetworkError) {
    return 0;
  }
  throw error;
}
