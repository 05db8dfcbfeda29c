import type { IStateDB } from '@jupyterlab/statedb';

import type { IApi, INotebooks } from './ports';
import type { Shown } from './shown';

const KEY = 'cave-lab:tour';

/**
 * The guided tour: a notebook of its own, a script in place of a model, and what
 * to ask in it.
 */
export class Tour {
  constructor(
    private readonly options: {
      readonly api: IApi;
      readonly notebooks: INotebooks;
      readonly shown: Shown;
      readonly db: IStateDB | null;
    }
  ) {}

  /** What can be asked in the tour that was begun last. */
  get prompts(): readonly string[] {
    return this._prompts;
  }

  /** Read what an earlier page began. */
  async load(): Promise<void> {
    const stored = await this.options.db?.fetch(KEY);
    if (Array.isArray(stored)) {
      this._prompts = stored.filter(prompt => typeof prompt === 'string');
    }
  }

  /** Make the notebook, open it, run its first cells, and begin a thread beside it. */
  async start(): Promise<void> {
    const { api, notebooks, shown, db } = this.options;
    const tour = await api.startTour(folderOf(notebooks.front?.path ?? ''));
    this._prompts = tour.prompts;
    await db?.save(KEY, tour.prompts);
    await notebooks.open(tour.path);
    await notebooks.startKernel(tour.path);
    await notebooks.runMine(tour.path);
    // New cells follow the active one, so the tour goes on at the end.
    const last = notebooks.look(tour.path, null).outline?.cells?.at(-1);
    if (last) {
      await notebooks.goToCell(tour.path, last.cell_id);
    }
    shown.begin({ mode: 'review', privacy: null, model: tour.model });
  }

  private _prompts: readonly string[] = [];
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
