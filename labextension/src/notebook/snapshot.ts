import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';

import type { DocumentSnapshot, SnapshotCell } from './plan';
import { METADATA_KEY, readMark } from './provenance';
import type { DocumentWatch } from './watch';

/**
 * Look at the document: every cell's id, and more of those that carry our mark.
 */
export function takeSnapshot(
  model: INotebookModel,
  watch: DocumentWatch,
  replaced: boolean,
  writable: boolean
): DocumentSnapshot {
  return {
    cells: Array.from(model.cells, cell => look(cell, watch)),
    replaced,
    nbformatMinor: model.nbformatMinor,
    writable
  };
}

/** An id never changes, and reading it takes a look into the shared document. */
const ids = new WeakMap<ICellModel, string>();

/**
 * A cell's id; two thousand of them are read many times a second while output comes.
 */
export function idOf(cell: ICellModel): string {
  const known = ids.get(cell);
  if (known !== undefined) {
    return known;
  }
  const { id } = cell;
  ids.set(cell, id);
  return id;
}

function look(cell: ICellModel, watch: DocumentWatch): SnapshotCell {
  const id = idOf(cell);
  const { type } = cell;
  const mark = readMark(cell.getMetadata(METADATA_KEY));
  const code = isCode(cell) ? cell : null;
  return {
    id,
    type,
    mark,
    source: mark ? cell.sharedModel.getSource() : null,
    executionCount: code?.executionCount ?? null,
    running: code === null ? false : isRunning(code),
    inFile: watch.isInFile(id),
    personRan: watch.wasRun(id)
  };
}

/**
 * Whether a cell holds code.
 */
export function isCode(cell: ICellModel): cell is ICodeCellModel {
  return cell.type === 'code';
}

/**
 * Whether a cell shows `[*]`; null before JupyterLab 4.3, whose models don't say.
 */
export function isRunning(cell: ICodeCellModel): boolean | null {
  return 'executionState' in cell ? cell.executionState === 'running' : null;
}
