import type { Cell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import {
  type ITranslator,
  nullTranslator,
  type TranslationBundle
} from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';

import {
  type FoundMark,
  isOurMark,
  METADATA_KEY,
  readMark
} from './provenance';

/**
 * The cell that a button belongs to, and where its run is to be found.
 */
export interface CellRef {
  readonly threadId: string;
  readonly runId: string;
  readonly cellId: string;
  readonly panel: NotebookPanel;
}

/**
 * What the bar on a cell of ours needs.
 */
export interface CellBarsOptions {
  readonly tracker: INotebookTracker;
  readonly translator?: ITranslator | null;
  readonly keep: (cell: CellRef) => void;
  readonly undo: (cell: CellRef) => void;
}

const CELL_CLASS = 'jp-CaveLab-cell';
const KEPT_CLASS = 'jp-mod-kept';
const FAILED_CLASS = 'jp-mod-failed';
const BAR_CLASS = 'jp-CaveLab-cellBar';

/**
 * Marks the cells of ours in every open notebook with a thin bar, and puts *Keep* and *Undo* on
 * those that the person has not reviewed.
 */
export class CellBars implements IDisposable {
  constructor(private readonly _options: CellBarsOptions) {
    this._trans = (_options.translator ?? nullTranslator).load('cave_lab');
    const { tracker } = _options;
    tracker.forEach(panel => this._attend(panel));
    tracker.widgetAdded.connect(this._onAdded, this);
  }

  get isDisposed(): boolean {
    return this._disposed;
  }

  dispose(): void {
    if (this._disposed) {
      return;
    }
    this._disposed = true;
    this._options.tracker.widgetAdded.disconnect(this._onAdded, this);
    for (const [panel, draw] of this._panels) {
      panel.content.modelContentChanged.disconnect(draw);
      panel.content.widgets.forEach(undress);
    }
    this._panels.clear();
  }

  private _onAdded(_: INotebookTracker, panel: NotebookPanel): void {
    this._attend(panel);
  }

  private _attend(panel: NotebookPanel): void {
    let due = false;
    const draw = (): void => {
      if (!due) {
        due = true;
        requestAnimationFrame(() => {
          due = false;
          this._draw(panel);
        });
      }
    };
    this._panels.set(panel, draw);
    panel.content.modelContentChanged.connect(draw);
    panel.disposed.connect(() => this._panels.delete(panel));
    void panel.context.ready.then(draw);
  }

  private _draw(panel: NotebookPanel): void {
    if (this._disposed || panel.isDisposed) {
      return;
    }
    for (const cell of panel.content.widgets) {
      const { id } = cell.model;
      const mark = readMark(cell.model.getMetadata(METADATA_KEY));
      if (isOurMark(mark, id)) {
        this._dress(panel, cell, mark);
      } else if (cell.hasClass(CELL_CLASS)) {
        undress(cell);
      }
    }
  }

  private _dress(panel: NotebookPanel, cell: Cell, mark: FoundMark): void {
    const draw = this._panels.get(panel);
    if (draw) {
      cell.model.metadataChanged.connect(draw);
    }
    const kept = mark.reviewed === true;
    cell.addClass(CELL_CLASS);
    cell.toggleClass(KEPT_CLASS, kept);
    cell.toggleClass(FAILED_CLASS, mark.folded === true);
    const state = JSON.stringify([mark.run, mark.status, mark.folded, kept]);
    const old = barOf(cell);
    if (old?.dataset.state === state) {
      return;
    }
    old?.remove();
    if (!kept) {
      const bar = this._makeBar(panel, mark);
      bar.dataset.state = state;
      cell.node.append(bar);
    }
  }

  private _makeBar(panel: NotebookPanel, mark: FoundMark): HTMLElement {
    const trans = this._trans;
    const bar = document.createElement('div');
    bar.className = BAR_CLASS;
    // Else Enter on a button would be the notebook's shortcut.
    bar.dataset.lmSuppressShortcuts = 'true';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', trans.__('A cell of CaveLab’s'));
    const label = document.createElement('span');
    label.textContent = mark.folded
      ? trans.__('CaveLab: failed attempt')
      : trans.__('CaveLab');
    bar.append(label);
    if (mark.status !== 'running') {
      bar.append(...this._makeButtons(panel, mark));
    }
    return bar;
  }

  private _makeButtons(panel: NotebookPanel, mark: FoundMark): HTMLElement[] {
    const trans = this._trans;
    const { keep, undo } = this._options;
    const cell: CellRef = {
      threadId: mark.thread,
      runId: mark.run,
      cellId: mark.cell_id,
      panel
    };
    return [
      makeButton(
        trans.__('Keep'),
        trans.__('Keep this cell; it is no longer marked for review'),
        () => keep(cell)
      ),
      makeButton(
        trans.__('Undo'),
        trans.__('Take this cell out; variables stay as they are'),
        () => undo(cell)
      )
    ];
  }

  private readonly _trans: TranslationBundle;
  private readonly _panels = new Map<NotebookPanel, () => void>();
  private _disposed = false;
}

function makeButton(
  text: string,
  title: string,
  action: () => void
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.title = title;
  button.addEventListener('click', action);
  return button;
}

function barOf(cell: Cell): HTMLElement | null {
  return cell.node.querySelector<HTMLElement>(`:scope > .${BAR_CLASS}`);
}

function undress(cell: Cell): void {
  cell.removeClass(CELL_CLASS);
  cell.removeClass(KEPT_CLASS);
  cell.removeClass(FAILED_CLASS);
  barOf(cell)?.remove();
}
