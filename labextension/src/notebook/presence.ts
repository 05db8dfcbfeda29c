import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';

import { type Happening, DocumentWatch } from './watch';

/** What a person does in a cell; a cell becomes the active one by the first of them. */
const DOINGS = ['pointerdown', 'keydown', 'input', 'paste', 'drop'] as const;

/** Keys that do nothing in a cell by themselves, or lead out of it. */
const NO_DOING = new Set(['Control', 'Shift', 'Alt', 'Meta', 'Tab', 'Escape']);

/**
 * Whether the person has been in the active cell since the document was opened or reloaded: until
 * then JupyterLab chose it, which says nothing of where they work.
 */
export class Presence {
  /**
   * The presence in one view of a notebook, watched from the first call on.
   */
  static of(panel: NotebookPanel): Presence {
    const known = Presence._all.get(panel.content);
    const presence = known ?? new Presence(panel);
    Presence._all.set(panel.content, presence);
    return presence;
  }

  private constructor(panel: NotebookPanel) {
    const { content, context } = panel;
    this._notebook = content;
    this._watch = DocumentWatch.of(context);
    this._watch.changed.connect(this._onDocument, this);
    content.activeCellChanged.connect(this._onActive, this);
    DOINGS.forEach(doing => content.node.addEventListener(doing, this, true));
    content.disposed.connect(this._onDisposed, this);
    this.begin();
    void context.ready.then(() => this.begin());
  }

  /** Whether the active cell is theirs. */
  get isThere(): boolean {
    return this._there;
  }

  /** Count from now: the active cell is as JupyterLab chose it, or `there`. */
  begin(there = false): void {
    this._epoch = this._watch.epoch;
    this._chosen = this._activeId;
    this._there = there;
  }

  /** The person went to the active cell, by whatever way. */
  come(): void {
    this._there = true;
  }

  handleEvent(event: Event): void {
    const { target } = event;
    const cell = target instanceof Element && target.closest('.jp-Cell');
    const done = event instanceof KeyboardEvent ? isDoing(event) : cell;
    if (done) {
      this.come();
    }
  }

  private get _activeId(): string | null {
    return this._notebook.activeCell?.model.id ?? null;
  }

  private _onActive(): void {
    // A cell that comes in above moves the active one, which stays the same cell.
    if (this._activeId !== this._chosen) {
      this.come();
    }
  }

  private _onDocument(watch: DocumentWatch, happening: Happening): void {
    if (happening === 'cells' && watch.epoch !== this._epoch) {
      this.begin();
    }
  }

  private _onDisposed(): void {
    this._watch.changed.disconnect(this._onDocument, this);
    Signal.clearData(this);
  }

  private static readonly _all = new WeakMap<Notebook, Presence>();
  private readonly _notebook: Notebook;
  private readonly _watch: DocumentWatch;
  private _epoch = 0;
  private _chosen: string | null = null;
  private _there = false;
}

/** A shortcut such as that of the panel says nothing of the cell; running it does. */
function isDoing({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const shortcut = ctrlKey || metaKey || altKey;
  return key === 'Enter' || (!shortcut && !NO_DOING.has(key));
}
