import type { ISignal } from '@lumino/signaling';

import type { MessageSend } from '../protocol/commands.generated';
import type {
  Budgets,
  FoundServers,
  ModelCheck,
  ModelName,
  ModelSettings,
  ServerStatus,
  Target,
  TourNotebook
} from '../protocol/generated';
import type { WholeOutput } from '../render/nbformat';
import type { NotebookCells } from './cellFate';

/** What the notebook looked like when a message was sent. */
export type Sight = Pick<MessageSend, 'target' | 'anchor' | 'outline'>;

/**
 * How an open notebook came to stand to its file: as new, by being read again if need be; or behind,
 * where reading it again would take something from the person.
 */
export type Standing = 'level' | 'behind';

/**
 * How many of the person's cells ran, of those that were to.
 */
export interface Tally {
  readonly ran: number;
  readonly all: number;
}

/**
 * A notebook that is open here.
 */
export interface IOpenNotebook {
  readonly path: string;
  readonly target: Target;
  /** The kernel's name as people know it, or null while none runs. */
  readonly kernelName: string | null;
  readonly language: string | null;
  readonly kernelBusy: boolean;
  readonly mimeType: string;
}

/**
 * What the panel needs of the notebooks open here.
 */
export interface INotebooks {
  /** The notebook in front, or null if none is open. */
  readonly front: IOpenNotebook | null;
  readonly changed: ISignal<INotebooks, void>;
  /** The open notebook of this path, or null. */
  find(path: string): IOpenNotebook | null;
  /** Open it and bring it to the front; rejects if it is not there. */
  open(path: string): Promise<void>;
  create(): Promise<void>;
  /** Show the files there are, to open one. */
  browse(): Promise<void>;
  startKernel(path: string): Promise<void>;
  /** Run the person's own code cells, from the first to the last. */
  runMine(path: string): Promise<void>;
  /** Run again those of them that had run, in their order, up to one that fails. */
  rerunMine(path: string): Promise<Tally>;
  /** Bring a cell into view and make it the active one; false if it is not there. */
  goToCell(path: string, cellId: string): Promise<boolean>;
  /** The cells of an open notebook; null if it is not open. */
  cells(path: string): NotebookCells | null;
  /**
   * Read an open notebook from its file again if that moved on and nothing of the person's is lost by
   * it; null where there is nothing to ask. It never rejects.
   */
  catchUp(path: string): Promise<Standing> | null;
  /** What the notebook looks like now, saved or not, to a thread or one that begins. */
  look(path: string, threadId: string | null): Sight;
}

/**
 * What the panel asks for over REST.
 */
export interface IApi {
  status(): Promise<ServerStatus>;
  saveSettings(settings: ModelSettings): Promise<ServerStatus>;
  checkModel(settings: ModelSettings): Promise<ModelCheck>;
  findServers(): Promise<FoundServers>;
  forgetModel(name: ModelName): Promise<ServerStatus>;
  saveBudgets(budgets: Budgets): Promise<ServerStatus>;
  startTour(directory: string): Promise<TourNotebook>;
  /** The text of a blob of a thread. */
  blob(threadId: string, blobId: string): Promise<string>;
  /** The output that a blob holds. */
  output(threadId: string, blobId: string): Promise<WholeOutput>;
}
