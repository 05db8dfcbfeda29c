import { Sanitizer } from '@jupyterlab/apputils';
import {
  CodeMirrorEditorFactory,
  CodeMirrorMimeTypeService,
  EditorExtensionRegistry,
  EditorLanguageRegistry,
  ybinding
} from '@jupyterlab/codemirror';
import { createMarkdownParser } from '@jupyterlab/markedparser-extension';
import {
  RenderMimeRegistry,
  standardRendererFactories
} from '@jupyterlab/rendermime';
import { StateDB } from '@jupyterlab/statedb';
import { nullTranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';
import { act, configure, render } from '@testing-library/react';
import React from 'react';

import { App } from '../../src/components/app';
import {
  DrawingContext,
  type IDrawing,
  PanelContext
} from '../../src/components/context';
import type { NotebookCells } from '../../src/panel/cellFate';
import { Followed, type IAttendant } from '../../src/panel/followed';
import { PanelModel } from '../../src/panel/model';
import { UNDECIDED } from '../../src/panel/modelDraft';
import type {
  IApi,
  INotebooks,
  IOpenNotebook,
  Tally
} from '../../src/panel/ports';
import type {
  Budget,
  Event,
  Hello,
  KernelState,
  Result,
  ServerStatus,
  Signal as Told
} from '../../src/protocol/generated';
import { localOutputs } from '../../src/render/local';
import { Markdown } from '../../src/render/markdown';
import {
  type CommandBody,
  CommandError,
  type IClient,
  type Link
} from '../../src/state/client';
import { ThreadModel } from '../../src/state/thread';
import { ThreadList } from '../../src/state/threads';
import { Stream, TARGET } from './events';

// The first drawing takes more than its second where other tests run beside it.
configure({ asyncUtilTimeout: 4_000 });

const HELLO: Hello = {
  type: 'hello',
  root_id: 'root-1',
  protocol_version: 1,
  server_version: '0',
  server_id: 'server',
  client_id: 'me',
  may_approve: true,
  allowed_modes: ['chat', 'review', 'auto']
};

export const NO_BUDGET: Budget = {
  runs: null,
  tokens: null,
  cost: null,
  seconds: null
};

export const STATUS: ServerStatus = {
  version: '0',
  model: {
    model: 'some/model',
    api_base: null,
    key_env: null,
    options: UNDECIDED
  },
  model_locked: false,
  key_names: ['SOME_API_KEY'],
  allowed_modes: ['chat', 'review', 'auto'],
  default_mode: 'review',
  default_privacy: 'standard',
  memories: [],
  budgets: { turn: NO_BUDGET, thread: NO_BUDGET },
  budget_caps: { turn: NO_BUDGET, thread: NO_BUDGET },
  tour_model: 'cave-lab/tour',
  problems: []
};

/** Do something, and let all that follows from it happen. */
export function doing(action: () => unknown): Promise<void> {
  return act(() => Promise.resolve(action()).then(() => undefined));
}

/** A connection whose other end is the test. */
export class FakeClient implements IClient {
  readonly linkChanged: Signal<IClient, Link> = new Signal(this);
  readonly received: Signal<IClient, Event | Told> = new Signal(this);
  readonly rootId = HELLO.root_id;
  readonly isDisposed = false;
  readonly sent: CommandBody[] = [];
  link: Link = { kind: 'open', hello: HELLO };
  /** What a command is answered with; a string refuses it in these words. */
  answers: Partial<
    Record<
      NonNullable<CommandBody['type']>,
      Result | string | Promise<Result | null>
    >
  > = { 'thread.list': { type: 'threads', threads: [] } };

  request(command: CommandBody): Promise<Result | null> {
    this.sent.push(command);
    const answer = this.answers[command.type ?? 'thread.list'] ?? null;
    return typeof answer === 'string'
      ? Promise.reject(new CommandError('refused', answer))
      : Promise.resolve(answer);
  }

  /** The commands of one type, as they were sent. */
  of<T extends CommandBody['type']>(
    type: T
  ): Extract<CommandBody, { type?: T }>[] {
    return this.sent.filter(command => command.type === type) as Extract<
      CommandBody,
      { type?: T }
    >[];
  }

  dispose(): void {
    Signal.clearData(this);
  }
}

/** The notebooks of a page that has one. */
export class FakeNotebooks implements INotebooks {
  readonly changed: Signal<INotebooks, void> = new Signal(this);
  readonly done: string[] = [];
  front: IOpenNotebook | null = {
    path: 'a.ipynb',
    target: TARGET,
    kernelName: 'Python 3',
    language: 'python',
    kernelBusy: false,
    mimeType: 'text/x-ipython'
  };

  find(path: string): IOpenNotebook | null {
    return this.front?.path === path ? this.front : null;
  }

  open = (path: string): Promise<void> => this._do(`open ${path}`);
  create = (): Promise<void> => this._do('create');
  browse = (): Promise<void> => this._do('browse');
  startKernel = (path: string): Promise<void> => this._do(`start ${path}`);
  runMine = (path: string): Promise<void> => this._do(`run ${path}`);
  tally: Tally = { ran: 2, all: 2 };
  rerunMine = (path: string): Promise<Tally> =>
    this._do(`rerun ${path}`).then(() => this.tally);
  goToCell = (path: string, cellId: string): Promise<boolean> =>
    this._do(`go ${path} ${cellId}`).then(() => true);
  catchUp: INotebooks['catchUp'] = () => null;
  look = (): object => ({ anchor: 'mine' });
  /** The digests of the sources in the notebook in front, by cell id. */
  digests: ReadonlyMap<string, string> = new Map();
  /** Cells that were there once. */
  once: readonly string[] = [];
  cells = (path: string): NotebookCells | null =>
    this.find(path) && {
      digests: this.digests,
      held: cellId => this.once.includes(cellId)
    };

  private _do(what: string): Promise<void> {
    this.done.push(what);
    return Promise.resolve();
  }
}

class NoAttendant implements IAttendant {
  readonly problem = null;
  readonly problemChanged: Signal<IAttendant, unknown> = new Signal(this);
  readonly isDisposed = false;
  dispose(): void {
    Signal.clearData(this);
  }
}

/** A panel with everything of its own real, and the server played by the test. */
export class Stage {
  readonly client = new FakeClient();
  readonly notebooks = new FakeNotebooks();
  readonly db = new StateDB();
  readonly stream = new Stream();
  readonly api: IApi = {
    status: () => Promise.resolve(STATUS),
    saveSettings: model => Promise.resolve({ ...STATUS, model }),
    checkModel: () => Promise.reject(new Error('not played')),
    findServers: () => Promise.reject(new Error('not played')),
    forgetModel: () => Promise.reject(new Error('not played')),
    saveBudgets: budgets => Promise.resolve({ ...STATUS, budgets }),
    startTour: () => Promise.reject(new Error('not played')),
    blob: () => Promise.reject(new Error('not played')),
    output: () => Promise.reject(new Error('not played'))
  };
  /** What waits for the next frame; `tell` draws it. */
  private readonly _frames: (() => void)[] = [];
  readonly panel = this.makePanel();
  private _told = 0;

  /** Another page's panel, with the same store. */
  makePanel(): PanelModel {
    const memory = {
      get: () => Promise.resolve(null),
      set: () => Promise.resolve()
    };
    return new PanelModel({
      client: this.client,
      api: this.api,
      notebooks: this.notebooks,
      threads: new ThreadList(this.client, memory),
      followed: new Followed(
        id =>
          new ThreadModel(this.client, id, draw => {
            this._frames.push(draw);
            return () => undefined;
          }),
        () => new NoAttendant()
      ),
      db: this.db,
      trans: nullTranslator.load('cave_lab'),
      mimeTypeOf: () => 'text/x-ipython',
      reconnect: () => undefined
    });
  }

  /** Show the stream's thread, with what it holds so far. */
  open(): this {
    this.panel.shown.open(this.stream.threadId);
    return this.tell();
  }

  /** Draw the whole panel. */
  show(panel = this.panel): this {
    render(<App panel={panel} drawing={drawing()} />);
    return this;
  }

  /** Tell the page what the kernel does: nothing, unless `fields` say else. */
  kernel(fields: Partial<KernelState> = {}): this {
    act(() =>
      this.client.received.emit({
        type: 'kernel.state',
        thread_id: this.stream.threadId,
        kernel_id: 'k',
        state: 'idle',
        whose: null,
        queued: 0,
        language: 'python',
        display_name: 'Python 3',
        generation: '1-a',
        variables: true,
        ...fields
      })
    );
    return this.tell();
  }

  /** Tell the page what the stream has got since, and why the thread is only read, if it is. */
  tell(read_only: string | null = null): this {
    const news = this.stream.events.slice(this._told);
    this._told = this.stream.events.length;
    act(() => {
      for (const event of news) {
        this.client.received.emit(event);
      }
      this.client.received.emit({
        type: 'caught_up',
        thread_id: this.stream.threadId,
        seq: this.stream.events.length,
        read_only
      });
      this._frames.splice(0).forEach(draw => draw());
    });
    return this;
  }

  /** Put components on the stage. */
  set(children: React.ReactNode): React.JSX.Element {
    return (
      <DrawingContext.Provider value={drawing()}>
        <PanelContext.Provider value={this.panel}>
          {children}
        </PanelContext.Provider>
      </DrawingContext.Provider>
    );
  }
}

/** The whole panel, with a thread whose first turn holds what `make` makes. */
export function staged(make: (stream: Stream) => unknown): Stage {
  const stage = new Stage();
  make(stage.stream.begin());
  return stage.open().show();
}

let made: IDrawing | null = null;

/** JupyterLab's own parser, sanitizer, renderers and editors. */
export function drawing(): IDrawing {
  return (made ??= makeDrawing());
}

function makeDrawing(): IDrawing {
  const trans = nullTranslator.load('cave_lab');
  const languages = new EditorLanguageRegistry();
  const extensions = new EditorExtensionRegistry();
  extensions.addExtension({
    name: 'shared-model-binding',
    factory: ({ model }) =>
      EditorExtensionRegistry.createImmutableExtension(
        ybinding({ ytext: (model.sharedModel as never)['ysource'] })
      )
  });
  const factoryService = new CodeMirrorEditorFactory({ languages, extensions });
  const rendermime = new RenderMimeRegistry({
    initialFactories: standardRendererFactories,
    sanitizer: new Sanitizer(),
    markdownParser: createMarkdownParser(languages)
  });
  return {
    trans,
    rendermime: localOutputs(rendermime, {
      picture: alt => `picture not loaded: ${alt}`
    }),
    editors: {
      factoryService,
      mimeTypeService: new CodeMirrorMimeTypeService(languages)
    },
    markdown: new Markdown(rendermime, { picture: alt => `picture: ${alt}` }),
    api: {
      blob: () => Promise.reject(new Error('not played')),
      output: () => Promise.reject(new Error('not played'))
    }
  };
}
