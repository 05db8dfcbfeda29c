/** As much of the package as the tests' server uses; it ships no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'events';
  import type { IncomingMessage } from 'http';
  import type { Duplex } from 'stream';

  export class WebSocket extends EventEmitter {
    readonly readyState: number;
    send(text: string): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: { noServer: true });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (socket: WebSocket) => void
    ): void;
  }
}
