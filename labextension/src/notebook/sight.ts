import type { ICellModel } from '@jupyterlab/cells';
import { isError, isStream } from '@jupyterlab/nbformat';
import type { INotebookModel, NotebookPanel } from '@jupyterlab/notebook';
import type { IOutputModel } from '@jupyterlab/rendermime';

import type { Outline } from '../protocol/commands.generated';
import { chooseAnchor } from './anchor';
import { makeOutline, type OutlineSource } from './outline';
import { Presence } from './presence';
import {
  type FoundMark,
  isOurMark,
  METADATA_KEY,
  readMark
} from './provenance';
import { sha256 } from './sha256';
import { isCode } from './snapshot';

interface Hashed {
  readonly source: string;
  readonly sha256: string;
}

/** Hashes by cell id, so that a look after a keystroke hashes one cell and not two thousand. */
const hashes = new WeakMap<INotebookModel, Map<string, Hashed>>();

/**
 * The notebook as this page sees it now, saved or not, around the cell that a thread's new cells
 * follow.
 */
export function outlineOf(
  panel: NotebookPanel,
  threadId: string | null
): Outline {
  const { model } = panel.content;
  return model
    ? makeOutline(readSources(model), anchorIndex(panel, threadId))
    : { cells: [], total: 0 };
}

/**
 * The cell that a thread's new cells follow; no thread yet has none of its own.
 */
export function anchorOf(
  panel: NotebookPanel,
  threadId: string | null
): string | null {
  const { widgets } = panel.content;
  return widgets.at(anchorIndex(panel, threadId))?.model.id ?? null;
}

function anchorIndex(panel: NotebookPanel, threadId: string | null): number {
  const { widgets, activeCell, activeCellIndex } = panel.content;
  const cells = widgets.map(({ model }) => ({
    thread: ourMark(model)?.thread ?? null,
    executionCount: isCode(model) ? model.executionCount : null
  }));
  const there = activeCell !== null && Presence.of(panel).isThere;
  return chooseAnchor(cells, there ? activeCellIndex : null, threadId);
}

/**
 * A hash that changes when the person changes the notebook, and not when we do.
 */
export function personsHash(panel: NotebookPanel): string {
  const { model } = panel.content;
  const cells = model ? Array.from(model.cells) : [];
  const theirs = cells.flatMap(cell => {
    const known = hashOf(model, cell);
    const untouched = ourMark(cell)?.sha256 === known.sha256;
    return untouched ? [] : [`${cell.id} ${cell.type} ${known.sha256}`];
  });
  return sha256(theirs.join('\n'));
}

/** The digest of each cell's source as it stands now, by cell id. */
export function digestsOf(panel: NotebookPanel): ReadonlyMap<string, string> {
  const { model } = panel.content;
  const cells = model ? Array.from(model.cells) : [];
  return new Map(cells.map(cell => [cell.id, hashOf(model, cell).sha256]));
}

function readSources(model: INotebookModel): OutlineSource[] {
  return Array.from(model.cells, cell => ({
    id: cell.id,
    type: typeOf(cell),
    ...hashOf(model, cell),
    executionCount: isCode(cell) ? cell.executionCount : null,
    byCaveLab: ourMark(cell) !== null,
    output: () => outputText(cell)
  }));
}

function hashOf(model: INotebookModel | null, cell: ICellModel): Hashed {
  const source = cell.sharedModel.getSource();
  const known = (model && hashes.get(model)) ?? new Map<string, Hashed>();
  if (model) {
    hashes.set(model, known);
  }
  const old = known.get(cell.id);
  if (old?.source === source) {
    return old;
  }
  const hashed = { source, sha256: sha256(source) };
  known.set(cell.id, hashed);
  return hashed;
}

function typeOf(cell: ICellModel): OutlineSource['type'] {
  return cell.type === 'code' || cell.type === 'markdown' ? cell.type : 'raw';
}

/** The mark of a cell of ours. */
function ourMark(cell: ICellModel): FoundMark | null {
  const mark = readMark(cell.getMetadata(METADATA_KEY));
  return isOurMark(mark, cell.id) ? mark : null;
}

function outputText(cell: ICellModel): string | null {
  if (!isCode(cell) || cell.outputs.length === 0) {
    return null;
  }
  const { outputs } = cell;
  const all = Array.from({ length: outputs.length }, (_, at) =>
    textOf(outputs.get(at))
  );
  return all.join('\n');
}

/** Text as it is, an error in one line, anything else by its kind. */
function textOf(output: IOutputModel): string {
  // In JupyterLab 4.2 a stream's model has no text of its own, to be read without a copy.
  if (output.streamText) {
    return output.streamText.text;
  }
  const value = output.toJSON();
  if (isError(value)) {
    return `${value.ename}: ${value.evalue}`;
  }
  const kinds = Object.keys(output.data).join(', ');
  const plain = isStream(value) ? value.text : output.data['text/plain'];
  return multiline(plain) ?? `[${kinds}]`;
}

/** A text that nbformat may hold as a list of its lines. */
function multiline(value: unknown): string | null {
  const text = Array.isArray(value) ? value.join('') : value;
  return typeof text === 'string' ? text : null;
}
