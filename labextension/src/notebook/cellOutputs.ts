import type { ICodeCellModel } from '@jupyterlab/cells';
import type { IOutput } from '@jupyterlab/nbformat';
import { type IOutputAreaModel, OutputAreaModel } from '@jupyterlab/outputarea';
import { JSONExt } from '@lumino/coreutils';

import { toNotebook, type WholeOutput } from '../render/nbformat';
import { never } from '../state/never';
import { type OutputStep, stepsBetween } from './outputs';

/**
 * Writes outputs into live cells, through the cell model's own output area model: the shared
 * model's calls lose and double outputs.
 */
export class CellOutputs {
  /**
   * Bring a cell's outputs to `next`; false if they are not what was written before, so that
   * somebody else changed them and nothing was done.
   */
  write(cell: ICodeCellModel, next: readonly WholeOutput[]): boolean {
    const live = cell.outputs;
    const written = this._written.get(live);
    if (written === undefined) {
      repair(cell, next);
    } else if (live.length !== written.length) {
      return false;
    } else {
      stepsBetween(written, next).forEach(step => apply(live, step));
    }
    this._written.set(live, next);
    return true;
  }

  /**
   * Compare a cell with what it should hold and write it afresh only if it differs.
   */
  finish(cell: ICodeCellModel, next: readonly WholeOutput[]): boolean {
    const done = this.write(cell, next);
    if (done) {
      repair(cell, next);
    }
    return done;
  }

  /** How many outputs of ours a cell holds. */
  count(cell: ICodeCellModel): number {
    return this._written.get(cell.outputs)?.length ?? 0;
  }

  /** Keyed by the model of the moment: a moved or reloaded cell has a new one, to be compared. */
  private readonly _written = new WeakMap<
    IOutputAreaModel,
    readonly WholeOutput[]
  >();
}

function apply(live: IOutputAreaModel, step: OutputStep): void {
  switch (step.kind) {
    case 'append':
      live.add({ output_type: 'stream', name: step.name, text: step.text });
      return;
    case 'add':
      live.add(toNotebook(step.output));
      return;
    case 'set':
      live.set(step.index, toNotebook(step.output));
      return;
    case 'clear':
      live.clear();
      return;
    case 'all':
      live.fromJSON(step.outputs.map(toNotebook));
      return;
    default:
      never(step);
  }
}

/** Both the view's model and the document's, which older versions let drift apart. */
function repair(cell: ICodeCellModel, next: readonly WholeOutput[]): void {
  const values = next.map(toNotebook);
  const wanted = asShown(values, cell.trusted);
  if (
    !same(cell.outputs.toJSON(), wanted) ||
    !same(cell.sharedModel.getOutputs(), wanted)
  ) {
    cell.outputs.fromJSON(values);
  }
}

/** What an output area makes of outputs: it resolves `\r` and backspaces. */
function asShown(values: IOutput[], trusted: boolean): IOutput[] {
  const area = new OutputAreaModel({ values, trusted });
  const shown = area.toJSON();
  area.dispose();
  return shown;
}

function same(first: IOutput[], second: IOutput[]): boolean {
  return JSONExt.deepEqual(first, second);
}
