import { type NotebookPanel } from '@jupyterlab/notebook';
import { expect, type Locator, type Page } from '@playwright/test';

import { type Home } from './home';

/** How long a page with a notebook and its kernel may take to come up. */
const OPEN_MS = 60_000;

/** A notebook open in a page of JupyterLab. */
export class Document {
  constructor(
    readonly page: Page,
    private readonly home: Home,
    readonly path: string
  ) {}

  /** Go to the notebook in a workspace of its own, and wait until its kernel answers. */
  async open(workspace: string): Promise<void> {
    const { url } = this.home;
    await this.page.goto(
      `${url}/lab/workspaces/${workspace}/tree/${this.path}`
    );
    await this.ready();
  }

  /** Reload the page, and wait until the notebook is there again. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Wait until the notebook is loaded and its kernel is connected. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(isReady, this.path, { timeout: OPEN_MS });
    await expect(this.page.locator('#jupyterlab-splash')).toHaveCount(0);
  }

  /** The cells on the page, as a person sees them. */
  get cells(): Locator {
    return this.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell');
  }

  /** Click into a cell, so that it is the active one. */
  async goTo(index: number): Promise<void> {
    await this.cells.nth(index).locator('.cm-content').click();
  }

  /** Run all cells, as from the menu, and wait for the last one. */
  async runAll(): Promise<void> {
    await this.page.evaluate(() =>
      window.jupyterapp.commands.execute('notebook:run-all-cells')
    );
  }

  /** Run one cell, without waiting for its end. */
  async startCell(index: number): Promise<void> {
    await this.goTo(index);
    await this.page.keyboard.press('ControlOrMeta+Enter');
  }

  /** How the runs of these cells ended, as the open notebook says; a cell that is not there is left out. */
  async marks(
    cellIds: readonly string[]
  ): Promise<Readonly<Record<string, string | null>>> {
    return this.page.evaluate(marksOf, { path: this.path, cellIds });
  }

  /** Save with the keyboard, and wait until the file is written. */
  async save(): Promise<void> {
    await this.saveAs(this.path);
  }

  /** The same for a notebook that has another path by now. */
  async saveAs(path: string): Promise<void> {
    const saved = await this.page.evaluateHandle(nextSave, path);
    await this.page.keyboard.press('ControlOrMeta+s');
    await saved.evaluate(({ written }) => written);
    await saved.dispose();
  }
}

/** What a widget in the main area has if it is a notebook. */
type MaybeNotebook = Partial<
  Pick<NotebookPanel, 'context' | 'sessionContext' | 'isVisible'>
>;

function isReady(path: string): boolean {
  const app = (window as Partial<Window>).jupyterapp;
  for (const widget of app?.shell.widgets('main') ?? []) {
    const panel: MaybeNotebook = widget;
    if (panel.context?.path === path && panel.context.isReady) {
      const kernel = panel.sessionContext?.session?.kernel;
      return Boolean(
        panel.isVisible && kernel?.connectionStatus === 'connected'
      );
    }
  }
  return false;
}

/** The next save of a notebook, in an object because a handle would wait for a bare promise. */
function nextSave(path: string): { readonly written: Promise<void> } {
  for (const widget of window.jupyterapp.shell.widgets('main')) {
    const { context }: MaybeNotebook = widget;
    if (context?.path === path) {
      const written = new Promise<void>((resolve, reject) => {
        context.saveState.connect((_, state) => {
          if (state === 'completed') {
            resolve();
          } else if (state === 'failed') {
            reject(new Error(`${path} could not be saved.`));
          }
        });
      });
      return { written };
    }
  }
  throw new Error(`${path} is not open.`);
}

function marksOf(asked: {
  readonly path: string;
  readonly cellIds: readonly string[];
}): Record<string, string | null> {
  const marks: Record<string, string | null> = {};
  for (const widget of window.jupyterapp.shell.widgets('main')) {
    const { context }: MaybeNotebook = widget;
    for (const cell of context?.path === asked.path
      ? context.model.cells
      : []) {
      if (asked.cellIds.includes(cell.id)) {
        const mark = cell.getMetadata('cave_lab') as { status?: string } | null;
        marks[cell.id] = mark?.status ?? null;
      }
    }
  }
  return marks;
}
