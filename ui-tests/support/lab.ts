import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type INotebookContent } from '@jupyterlab/nbformat';
import { expect, type Page } from '@playwright/test';

import { Document } from './document';
import { type Home } from './home';
import { Journal } from './journal';
import { JupyterApi } from './jupyter';
import { notebookOf, readSaved, type SavedCell } from './notebook';
import { Panel } from './panel';
import { askPython } from './process';

/** A person at one notebook with CaveLab beside it. */
export class Lab {
  constructor(
    readonly page: Page,
    readonly home: Home,
    /** The folder of the test, which is also the name of its workspace. */
    readonly folder: string
  ) {
    this.jupyter = new JupyterApi(home);
    this.document = new Document(page, home, this.path);
    this.panel = new Panel(page);
    this.journal = new Journal(home, this.path);
  }

  readonly jupyter: JupyterApi;
  readonly document: Document;
  readonly panel: Panel;
  readonly journal: Journal;

  /** The notebook's path below the server's root. */
  get path(): string {
    return `${this.folder}/analysis.ipynb`;
  }

  /** Make a notebook of these cells, open it, run them all, and open the panel. */
  async begin(...sources: readonly string[]): Promise<void> {
    await this.beginWith(notebookOf(...sources));
  }

  /** The same with this notebook. */
  async beginWith(notebook: INotebookContent): Promise<void> {
    await this.jupyter.makeFolder(this.folder);
    await this.jupyter.write(this.path, notebook);
    await this.document.open(this.folder);
    if (notebook.cells.length > 0) {
      await this.document.runAll();
    }
    await this.panel.open();
    await expect(this.panel.composer).toBeFocused();
  }

  /** Open the notebook again, in a page that may be new, and the panel with it. */
  async comeBack(): Promise<void> {
    await this.document.open(this.folder);
    await this.panel.open();
  }

  /** The same person at another page, such as after the browser was closed. */
  at(page: Page): Lab {
    return new Lab(page, this.home, this.folder);
  }

  /**
   * Wait until the notebook holds what the journal knows: a page that has just opened first waits
   * for other threads before it puts a cell in, and updates are paced.
   */
  async written(): Promise<void> {
    const ends = await this.journal.cellEnds();
    await expect
      .poll(() => this.document.marks(Object.keys(ends)), {
        message: 'how the runs of the cells in the open notebook ended'
      })
      .toEqual(ends);
  }

  /** Make the file that a cell waits for; see `waitsFor`. */
  async letGo(name: string): Promise<void> {
    await writeFile(path.join(this.home.root, this.folder, name), '');
  }

  /** What a cell wrote into a file beside the notebook; null if there is none. */
  async wrote(name: string): Promise<string | null> {
    const file = path.join(this.home.root, this.folder, name);
    return readFile(file, 'utf8').catch(() => null);
  }

  /** End the kernel's process, as a crash or the system would. */
  async killKernel(): Promise<void> {
    const [session] = await this.jupyter.sessions(this.folder);
    const file = path.join(
      this.home.folder('runtime'),
      `kernel-${session.kernel.id}.json`
    );
    expect(await askPython('kill_kernel.py', file)).toBe(1);
  }

  /** Save once all ended runs stand in the notebook, and read the cells of the file. */
  async saved(): Promise<readonly SavedCell[]> {
    await this.written();
    await this.document.save();
    return readSaved(this.home, this.path);
  }
}
