import { ServerConnection } from '@jupyterlab/services';
import { createServer, type IncomingMessage, type Server } from 'http';
import type { AddressInfo } from 'net';
import { WebSocketServer, type WebSocket as Peer } from 'ws';

import type { Command } from '../../src/protocol/commands.generated';
import type {
  CommandOk,
  CommandRejected,
  Event,
  Hello,
  Result
} from '../../src/protocol/generated';

type Reply = CommandOk | CommandRejected;

export interface IAnswer {
  readonly status: number;
  readonly body: string;
}

export const HELLO: Hello = {
  type: 'hello',
  root_id: 'root-1',
  protocol_version: 1,
  server_version: '0.1.0',
  server_id: 'server-1',
  client_id: 'client-1',
  may_approve: true,
  allowed_modes: ['review']
};

/** A real server on a port of its own: the channel's rules, and threads that are lists of events. */
export class TestServer {
  /** What new connections are greeted with; null for a refused handshake (403). */
  hello: Hello | null = HELLO;
  /** Whether commands are carried out and answered, carried out only, or neither. */
  answers: 'given' | 'lost' | 'none' = 'given';
  /** What a command gives; an error's message is the refusal. */
  carryOut: (command: Command) => Result | null = () => null;
  /** Answers over HTTP, by method and path. */
  readonly http = new Map<string, IAnswer>();
  /** All requests over HTTP with their bodies. */
  readonly requests: { key: string; body: string; headers: unknown }[] = [];
  /** Commands as they came in, repeated ones too. */
  readonly commands: Command[] = [];
  /** Ids of the commands that were carried out. */
  readonly done: string[] = [];
  readonly threads = new Map<string, Event[]>();
  readonly urls: string[] = [];
  private readonly _peers = new Map<Peer, Set<string>>();
  private readonly _replies = new Map<string, Reply>();

  private constructor(private readonly _server: Server) {
    const sockets = new WebSocketServer({ noServer: true });
    _server.on('upgrade', (request, socket, head) => {
      this.urls.push(request.url ?? '');
      if (this.hello === null) {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, peer => this._greet(peer));
    });
    _server.on('request', (request, response) => {
      void this._answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(body);
      });
    });
  }

  static async start(): Promise<TestServer> {
    const server = createServer();
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new TestServer(server);
  }

  async stop(): Promise<void> {
    this.drop();
    this._server.closeAllConnections();
    await new Promise(resolve => this._server.close(resolve));
  }

  get settings(): ServerConnection.ISettings {
    const { port } = this._server.address() as AddressInfo;
    return ServerConnection.makeSettings({
      baseUrl: `http://127.0.0.1:${port}/base/`,
      wsUrl: `ws://127.0.0.1:${port}/base/`,
      token: 'secret',
      appendToken: true
    });
  }

  get connections(): number {
    return this._peers.size;
  }

  /** Cut all connections, or close them with a code. */
  drop(code?: number): void {
    for (const peer of this._peers.keys()) {
      if (code === undefined) {
        peer.terminate();
      } else {
        peer.close(code);
      }
    }
    this._peers.clear();
  }

  /** Send text as it is to every connection. */
  say(frame: unknown): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    for (const peer of this._peers.keys()) {
      peer.send(text);
    }
  }

  /** Store an event and tell the followers of its thread, unless it gets lost on the way. */
  publish(event: Event, lost = false): void {
    this.events(event.thread_id).push(event);
    for (const [peer, followed] of this._peers) {
      if (followed.has(event.thread_id) && !lost) {
        peer.send(JSON.stringify(event));
      }
    }
  }

  events(threadId: string): Event[] {
    const events = this.threads.get(threadId) ?? [];
    this.threads.set(threadId, events);
    return events;
  }

  /** The commands of a type that came in so far. */
  of<T extends Command['type']>(type: T): Extract<Command, { type?: T }>[] {
    return this.commands.filter(
      (command): command is Extract<Command, { type?: T }> =>
        command.type === type
    );
  }

  private _greet(peer: Peer): void {
    this._peers.set(peer, new Set());
    peer.on('message', (data: Buffer) =>
      this._onCommand(peer, JSON.parse(data.toString()) as Command)
    );
    peer.on('close', () => this._peers.delete(peer));
    peer.send(JSON.stringify(this.hello));
  }

  private _onCommand(peer: Peer, command: Command): void {
    this.commands.push(command);
    if (this.answers === 'none') {
      return;
    }
    const known = this._replies.get(command.command_id);
    const reply = known ?? this._perform(peer, command);
    this._replies.set(command.command_id, reply);
    if (this.answers === 'given') {
      peer.send(JSON.stringify(reply));
    }
  }

  private _perform(peer: Peer, command: Command): Reply {
    const { command_id } = command;
    try {
      const result = this.carryOut(command);
      this._follow(peer, command);
      this.done.push(command_id);
      return { type: 'command.ok', command_id, result };
    } catch (error) {
      const { message } = error as Error;
      return { type: 'command.rejected', command_id, code: 'no', message };
    }
  }

  private _follow(peer: Peer, command: Command): void {
    if (command.type === 'thread.close') {
      this._peers.get(peer)?.delete(command.thread_id);
    }
    if (command.type !== 'thread.open') {
      return;
    }
    const { thread_id, from_seq = 0 } = command;
    this._peers.get(peer)?.add(thread_id);
    const events = this.events(thread_id);
    const seq = events.at(-1)?.seq ?? 0;
    const after = from_seq <= seq ? from_seq : 0;
    for (const event of events.filter(one => one.seq > after)) {
      peer.send(JSON.stringify(event));
    }
    peer.send(
      JSON.stringify({ type: 'caught_up', thread_id, seq, read_only: null })
    );
  }

  private async _answer(request: IncomingMessage): Promise<IAnswer> {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const key = `${request.method} ${path}`;
    const body = await readAll(request);
    this.requests.push({ key, body, headers: request.headers });
    return this.http.get(key) ?? { status: 404, body: '<html>Not here</html>' };
  }
}

function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise(resolve => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
}
