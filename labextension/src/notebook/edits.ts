import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { JSONObject } from '@lumino/coreutils';

import type { DesiredCell } from '../state/cells';
import { never } from '../state/never';
import type { Edit } from './plan';
import { type CellMark, METADATA_KEY } from './provenance';
import { idOf, isCode } from './snapshot';

type Shared = INotebookModel['sharedModel'];

/** The first version of the notebook format that keeps cell ids. */
const MINOR_WITH_IDS = 5;

/**
 * Make one edit of the document, except of outputs.
 */
export function applyEdit(
  model: INotebookModel,
  edit: Exclude<Edit, { kind: 'outputs' }>
): void {
  const shared = model.sharedModel;
  switch (edit.kind) {
    case 'upgrade_minor':
      // Only the document's class lets it be set.
      (shared as { nbformat_minor: number }).nbformat_minor = MINOR_WITH_IDS;
      return;
    case 'insert':
      insert(shared, edit.index, makeCell(edit.cell, edit.mark), edit.replaces);
      return;
    case 'remove':
      asOneStep(shared, () => remove(shared, edit.cellId));
      return;
    case 'count':
      withCode(model, edit.cellId, cell => (cell.executionCount = edit.count));
      return;
    case 'state':
      withCode(model, edit.cellId, cell => setRunning(cell, edit.running));
      return;
    case 'mark':
      mark(findCell(model, edit.cellId), edit.mark, edit.fold);
      return;
    default:
      never(edit);
  }
}

/**
 * Find a code cell by its id; models change whenever cells move, so none is kept.
 */
export function findCode(
  model: INotebookModel,
  cellId: string
): ICodeCellModel | null {
  const cell = findCell(model, cellId);
  return cell && isCode(cell) ? cell : null;
}

/**
 * Take a `[*]` away that no run of ours stands for any more.
 */
export function setIdle(model: INotebookModel, cellId: string): void {
  withCode(model, cellId, cell => setRunning(cell, false));
}

/**
 * Find a cell of any kind by its id.
 */
export function findCell(
  model: INotebookModel,
  cellId: string
): ICellModel | null {
  for (const cell of model.cells) {
    if (idOf(cell) === cellId) {
      return cell;
    }
  }
  return null;
}

function withCode(
  model: INotebookModel,
  cellId: string,
  change: (cell: ICodeCellModel) => void
): void {
  const cell = findCode(model, cellId);
  if (cell) {
    change(cell);
  }
}

function setRunning(cell: ICodeCellModel, running: boolean): void {
  // Before JupyterLab 4.3 the state is not the model's.
  if ('executionState' in cell) {
    cell.executionState = running ? 'running' : 'idle';
  }
}

function mark(cell: ICellModel | null, value: CellMark, fold: boolean): void {
  cell?.setMetadata(METADATA_KEY, { ...value });
  if (cell && fold) {
    // The widget answers each key: the outputs' key first, or it would take it back.
    cell.setMetadata('collapsed', true);
    const jupyter = cell.getMetadata('jupyter') as JSONObject | undefined;
    cell.setMetadata('jupyter', { ...jupyter, source_hidden: true });
  }
}

function makeCell(
  cell: DesiredCell,
  value: CellMark
): Parameters<Shared['insertCell']>[1] {
  return {
    id: cell.cellId,
    cell_type: 'code',
    source: cell.code,
    metadata: {
      // Only what the person allowed; it has to be there when the model is made.
      ...(cell.trusted ? { trusted: true } : {}),
      [METADATA_KEY]: { ...value }
    },
    outputs: [],
    execution_count: cell.executionCount
  };
}

function insert(
  shared: Shared,
  index: number,
  cell: Parameters<Shared['insertCell']>[1],
  replaces: readonly string[]
): void {
  asOneStep(shared, () => {
    shared.insertCell(index, cell);
    // The list is brought up to date only after the transaction: count from before it.
    replaces
      .map(id => shared.cells.findIndex(one => one.id === id))
      .filter(at => at >= 0)
      .map(at => (at >= index ? at + 1 : at))
      .sort((first, second) => second - first)
      .forEach(at => shared.deleteCell(at));
  });
}

function remove(shared: Shared, cellId: string): void {
  const at = shared.cells.findIndex(cell => cell.id === cellId);
  if (at >= 0) {
    shared.deleteCell(at);
  }
}

/**
 * Change the document as one step of its own that undo takes back, never together with what the
 * person did just before or after.
 */
function asOneStep(shared: Shared, change: () => void): void {
  stopCapturing(shared);
  shared.transact(change);
  stopCapturing(shared);
}

/** The undo manager is on the document's class, not in its interface. */
function stopCapturing(shared: Shared): void {
  const { undoManager } = shared as {
    undoManager?: { stopCapturing?: () => void };
  };
  undoManager?.stopCapturing?.();
}
