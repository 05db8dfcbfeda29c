import type { INotebookModel, NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { DesiredCell } from '../state/cells';
import { Blobs, type FetchBlob } from './blobs';
import { CellOutputs } from './cellOutputs';
import { applyEdit, findCode, setIdle } from './edits';
import { release, type WriterMemory, wrote } from './memory';
import { asInCell, charsOf } from './outputs';
import { intervalFor, Pace } from './pace';
import type { Edit } from './plan';
import type { Reconciled } from './reconcile';
import { isTyping } from './typing';
import { holdView, isInView, reveal } from './view';
import { DocumentWatch } from './watch';

export interface ScribeOptions {
  readonly threadId: string;
  readonly fetchBlob: FetchBlob;
  readonly trans: TranslationBundle;
  /** Whether new cells are scrolled into view. */
  readonly following: () => boolean;
  /** Called when something that had to wait can be written. */
  readonly again: () => void;
}

type Insert = Extract<Edit, { kind: 'insert' }>;

/**
 * Carries out edits in a live document.
 */
export class Scribe {
  constructor(private readonly _options: ScribeOptions) {
    const { threadId, fetchBlob, trans, again } = _options;
    this._pace = new Pace(again);
    this._blobs = new Blobs(threadId, fetchBlob, trans);
    this._blobs.arrived.connect(again);
  }

  /** Make the edits, and say what to remember. */
  carryOut(panel: NotebookPanel, outcome: Reconciled): WriterMemory {
    const { model } = panel.content;
    const { edits } = outcome;
    if (!model || edits.length === 0) {
      return outcome.memory;
    }
    const shown = this._toShow(panel, edits);
    DocumentWatch.of(panel.context).wrote();
    let { memory } = outcome;
    const carry = (): void => {
      for (const edit of edits) {
        memory = this._carry(model, edit, memory);
      }
    };
    if (edits.some(isStructural)) {
      holdView(panel, carry);
    } else {
      carry();
    }
    if (shown !== null) {
      reveal(panel, shown);
    }
    return memory;
  }

  /** Take back what would stay behind in a document that is written no more. */
  stop(panel: NotebookPanel | null): void {
    const model = panel?.isDisposed === false ? panel.content.model : null;
    if (panel && model) {
      const watch = DocumentWatch.of(panel.context);
      [...this._running]
        .filter(cellId => !watch.wasRun(cellId))
        .forEach(cellId => setIdle(model, cellId));
    }
    this._running.clear();
  }

  dispose(): void {
    this._pace.dispose();
    this._blobs.dispose();
  }

  private _carry(
    model: INotebookModel,
    edit: Edit,
    memory: WriterMemory
  ): WriterMemory {
    if (edit.kind === 'outputs') {
      return this._write(model, edit.cell, memory);
    }
    applyEdit(model, edit);
    if (edit.kind === 'state' && edit.running) {
      this._running.add(edit.cellId);
    } else if (edit.kind === 'state') {
      this._running.delete(edit.cellId);
    }
    return memory;
  }

  /** Write a cell's outputs as far as they are here, unless that was done a moment ago. */
  private _write(
    model: INotebookModel,
    cell: DesiredCell,
    memory: WriterMemory
  ): WriterMemory {
    const { cellId, ended } = cell;
    const live = findCode(model, cellId);
    const { outputs, complete } = this._blobs.whole(cell.outputs);
    const next = asInCell(outputs, complete ? cell.truncated : null);
    if (!live || (!complete && next.length < this._outputs.count(live))) {
      return memory;
    }
    const last = complete && ended;
    if (!last && !this._pace.take(cellId, intervalFor(charsOf(next)))) {
      return memory;
    }
    const done = last
      ? this._outputs.finish(live, next)
      : this._outputs.write(live, next);
    if (!done) {
      return release(memory, cellId);
    }
    if (last) {
      this._blobs.drop(cell.outputs);
    }
    return complete ? wrote(memory, cell) : memory;
  }

  /**
   * The cell to bring into view: the last new one, or one that ends, and may have grown, before the
   * person's eyes; none while they type, for it would scroll away what they type into.
   */
  private _toShow(panel: NotebookPanel, edits: readonly Edit[]): string | null {
    if (!this._options.following() || isTyping(panel)) {
      return null;
    }
    const inserted = edits.filter(
      (edit): edit is Insert => edit.kind === 'insert'
    );
    const ended = edits
      .flatMap(edit =>
        edit.kind === 'state' && !edit.running ? edit.cellId : []
      )
      .filter(cellId => isInView(panel, cellId));
    return inserted.at(-1)?.cell.cellId ?? ended.at(-1) ?? null;
  }

  private readonly _pace: Pace;
  private readonly _blobs: Blobs;
  private readonly _outputs = new CellOutputs();
  private readonly _running = new Set<string>();
}

/**
 * Whether an edit puts a cell in or takes one out.
 */
export function isStructural(edit: Edit): boolean {
  return edit.kind === 'insert' || edit.kind === 'remove';
}
