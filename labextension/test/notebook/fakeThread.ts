import { Signal } from '@lumino/signaling';

import { sha256 } from '../../src/notebook/sha256';
import type {
  Event,
  Hello,
  ThreadState,
  WriterLease
} from '../../src/protocol/generated';
import {
  type CommandBody,
  CommandError,
  type IClient,
  type IThreadModel,
  type Link
} from '../../src/state/client';
import { reduce } from '../../src/state/reducer';
import { type BODIES, Stream, TARGET } from '../support/events';

const HELLO: Hello = {
  type: 'hello',
  root_id: 'root-1',
  protocol_version: 1,
  server_version: '0',
  server_id: 'server',
  client_id: 'me',
  may_approve: true,
  allowed_modes: ['review']
};

type Sent<T, C = CommandBody> = C extends { type?: infer K }
  ? T extends K
    ? C
    : never
  : never;

/** A thread whose events a test makes, and a server that takes what it is told of cells. */
export class FakeThread implements IThreadModel {
  readonly lookAgain = (): void => undefined;
  readonly stream: Stream;
  readonly sent: CommandBody[] = [];
  readonly kernel = null;
  readonly fault = null;
  readonly readOnly = null;
  readonly isDisposed = false;
  readonly changed: Signal<IThreadModel, void> = new Signal(this);
  readonly client: IClient;
  caughtUp = true;
  state: ThreadState | null = null;
  lease: WriterLease | null = null;
  private _holder: string | null = null;

  constructor(path: string, root_id = '', threadId = 'th-1') {
    this.stream = new Stream(threadId);
    this.client = this._makeClient();
    this.lend('me');
    const notebook = { root_id, path };
    this._take(
      this.stream.make('thread.created', {
        target: { ...TARGET, notebook }
      })
    );
    this._take(this.stream.make('turn.started'));
  }

  get threadId(): string {
    return this.stream.threadId;
  }

  /** All commands of one type that were sent. */
  asked<T extends CommandBody['type']>(type: T): Sent<T>[] {
    return this.sent.filter(
      (command): command is Sent<T> => command.type === type
    );
  }

  /** Fold the next event and let everybody know. */
  tell<T extends Event['type']>(
    type: T,
    fields: Partial<(typeof BODIES)[T]> = {}
  ): void {
    this._take(this.stream.make(type, fields));
    this.changed.emit();
  }

  /** A run goes out, for the notebook that the thread is bound to now. */
  run(
    name: string,
    code: string,
    after: string | null,
    fields: { repairs?: string | null } = {}
  ): void {
    const target = this.state?.target ?? TARGET;
    const run_id = `run-${name}`;
    this._take(
      this.stream.make('run.proposed', {
        ...fields,
        run_id,
        code,
        sha256: sha256(code),
        target
      })
    );
    this._take(this.stream.make('approval.requested', { run_id }));
    this._take(this.stream.make('approval.closed', { run_id }));
    this.tell('run.intended', { run_id, cell_id: name, target, after });
  }

  print(name: string, text: string): void {
    const run_id = `run-${name}`;
    const outputs = this.state?.runs[run_id].outputs ?? [];
    const last = outputs.at(-1);
    if (last?.output_type === 'stream') {
      this.tell('output.appended', { run_id, index: outputs.length - 1, text });
    } else {
      const output = { output_type: 'stream', name: 'stdout', text } as const;
      this.tell('output.added', { run_id, index: outputs.length, output });
    }
  }

  end(
    name: string,
    execution_count: number,
    status: 'ok' | 'error' = 'ok'
  ): void {
    this.tell('run.ended', { run_id: `run-${name}`, execution_count, status });
  }

  /** Let another page write, of which this one has not heard yet. */
  lendInSecret(holder: string): void {
    this._holder = holder;
  }

  /** Say who may write. */
  lend(holder: string | null): void {
    this._holder = holder;
    const path = this.state?.target.notebook?.path ?? '';
    const thread_id = this.threadId;
    this.lease = { type: 'writer.lease', thread_id, path, holder };
    this.changed.emit();
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private _take(event: Event): void {
    this.state = reduce(this.state, event);
  }

  private _makeClient(): IClient {
    const link: Link = { kind: 'open', hello: HELLO };
    const client = {
      link,
      rootId: HELLO.root_id,
      isDisposed: false,
      dispose: () => undefined,
      request: (command: CommandBody) => {
        this.sent.push(command);
        return this._answer(command).then(() => null);
      }
    };
    return Object.assign(client, {
      linkChanged: new Signal<IClient, Link>(client as unknown as IClient),
      received: new Signal<IClient, never>(client as unknown as IClient)
    });
  }

  /** Journal it and tell everybody a moment later, as the server does. */
  private async _answer(command: CommandBody): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, 0));
    switch (command.type) {
      case 'cell.placed':
        this._place(command);
        return;
      case 'cell.review':
        this._review(command);
        return;
      case 'thread.change':
        this.tell('thread.changed', {
          target: (command.target ?? null) as ThreadState['target'] | null
        });
        return;
      case 'writer.claim':
        this.lend('me');
        return;
      case 'writer.release':
        this.lend(null);
        return;
      default:
    }
  }

  /** Only the page that has the lease is believed, and a repeat is no news. */
  private _place({ run_id, cell_id, level }: Sent<'cell.placed'>): void {
    if (this._holder !== null && this._holder !== 'me') {
      throw new CommandError('forbidden', 'Another page writes this notebook.');
    }
    const { placed, verdict } = this.state!.runs[run_id];
    const there =
      placed === level || (placed === 'in_file' && verdict !== 'undone');
    if (!there || verdict === 'deleted_by_user') {
      this.tell('cell.placed', { run_id, cell_id, level, by: 'me' });
    }
  }

  private _review({ run_id, verdict }: Sent<'cell.review'>): void {
    if (this.state!.runs[run_id].verdict !== verdict) {
      this.tell('cell.reviewed', { run_id, verdict });
    }
  }
}
