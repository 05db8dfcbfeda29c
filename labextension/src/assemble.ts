import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import type { IEditorServices } from '@jupyterlab/codeeditor';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IStateDB } from '@jupyterlab/statedb';
import type { ITranslator, TranslationBundle } from '@jupyterlab/translation';

import { Api } from './api';
import type { IDrawing } from './components/context';
import { Connection } from './connection';
import { PanelContent } from './content';
import { CellBars, type CellRef } from './notebook/cellbar';
import { OpenNotebooks } from './notebook/openNotebooks';
import { decideHere } from './notebook/ownCell';
import { pathOf } from './notebook/target';
import type { INotebookTracker } from './notebook/tracker';
import { NotebookWriter } from './notebook/writer';
import { Followed } from './panel/followed';
import { KernelNotice } from './panel/kernelNotice';
import { PanelModel } from './panel/model';
import { type IReviewingOptions, reviewing } from './panel/reviewing';
import type { Preferences } from './preferences';
import { localOutputs } from './render/local';
import { Markdown } from './render/markdown';
import type { IThreadModel } from './state/client';
import { ThreadModel } from './state/thread';
import { type IMemory, ThreadList } from './state/threads';

/** Long enough to read a sentence twice. */
const SENTENCE_MS = 10_000;

/** What JupyterLab gives us to work with. */
export interface IParts {
  readonly app: JupyterFrontEnd;
  readonly editors: IEditorServices;
  readonly rendermime: IRenderMimeRegistry;
  readonly docManager: IDocumentManager;
  readonly tracker: INotebookTracker;
  readonly translator: ITranslator | null;
  readonly trans: TranslationBundle;
  readonly db: IStateDB | null;
  readonly preferences: Preferences;
}

/**
 * Put the rooms together: the connection, the threads, the notebooks, the panel.
 */
export function assemble(parts: IParts): PanelContent {
  const { app, editors, db, trans } = parts;
  const settings = app.serviceManager.serverSettings;
  const connection = new Connection({ settings });
  const api = new Api(settings);
  const notebooks = makeNotebooks(parts, () => connection.rootId);
  const followed: Followed = new Followed(
    threadId => new ThreadModel(connection, threadId),
    // Whoever has put the panel away does not follow what goes on in it.
    thread =>
      attend(
        thread,
        parts,
        api,
        () => content.isVisible && shows(model, thread)
      )
  );
  const model = new PanelModel({
    client: connection,
    api,
    notebooks,
    threads: new ThreadList(connection, memoryOf(db)),
    followed,
    db,
    trans,
    mimeTypeOf: language =>
      editors.mimeTypeService.getMimeTypeByLanguage({
        name: language ?? 'python'
      }),
    reconnect: () => connection.retry()
  });
  const notice = new KernelNotice({
    client: connection,
    notebooks,
    shown: model.shown
  });
  markCells(parts, {
    client: connection,
    followed,
    trans,
    say: text => Notification.warning(text, { autoClose: SENTENCE_MS })
  });
  const content: PanelContent = new PanelContent(
    model,
    makeDrawing(parts, trans, api)
  );
  content.disposed.connect(() => {
    notice.dispose();
    notebooks.dispose();
    connection.dispose();
  });
  void model.start();
  return content;
}

function makeNotebooks(parts: IParts, rootId: () => string): OpenNotebooks {
  const { app, docManager, tracker, translator } = parts;
  return new OpenNotebooks({
    tracker,
    docManager,
    commands: app.commands,
    shell: app.shell,
    translator,
    rootId
  });
}

function makeDrawing(
  parts: IParts,
  trans: TranslationBundle,
  api: Api
): IDrawing {
  const { rendermime, editors } = parts;
  const picture = (alt: string): string =>
    alt === '' ? trans.__('picture') : trans.__('picture: %1', alt);
  const unloaded = (alt: string): string =>
    alt === ''
      ? trans.__('picture not loaded')
      : trans.__('picture not loaded: %1', alt);
  return {
    trans,
    rendermime: localOutputs(rendermime, { picture: unloaded }),
    editors,
    markdown: new Markdown(rendermime, { picture }),
    api
  };
}

/** Put a thread's cells into its notebook, as long as the page follows it. */
function attend(
  thread: IThreadModel,
  parts: IParts,
  api: Api,
  isShown: () => boolean
): NotebookWriter {
  const { tracker, docManager, translator, preferences } = parts;
  return new NotebookWriter({
    thread,
    tracker,
    contents: docManager.services.contents,
    fetchBlob: (threadId, blobId) => api.blob(threadId, blobId),
    translator,
    following: () => preferences.followCells && isShown()
  });
}

function shows(model: PanelModel, thread: IThreadModel): boolean {
  return model.outlook.thread?.threadId === thread.threadId;
}

/** The bars on cells of ours in the notebooks, with their keep and undo. */
function markCells(parts: IParts, options: IReviewingOptions): CellBars {
  const { tracker, translator, trans, docManager } = parts;
  const { contents } = docManager.services;
  const [keep, undo] = [
    reviewing(options, 'kept'),
    reviewing(options, 'undone')
  ];
  const reviewed = ({ threadId, runId, cellId, panel }: CellRef) => ({
    threadId,
    runId,
    path: pathOf(panel, contents),
    decideHere: (decision: 'kept' | 'undone') =>
      decideHere(panel, cellId, decision, trans)
  });
  return new CellBars({
    tracker,
    translator,
    keep: cell => keep(reviewed(cell)),
    undo: cell => undo(reviewed(cell))
  });
}

/** Which thread each notebook was left with, kept with the workspace. */
function memoryOf(db: IStateDB | null): IMemory {
  return {
    get: async key => {
      const value = await db?.fetch(key);
      return typeof value === 'string' ? value : null;
    },
    set: async (key, value) => {
      await db?.save(key, value);
    }
  };
}
