import type { ICellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { TranslationBundle } from '@jupyterlab/translation';

import { applyEdit, findCell } from './edits';
import {
  type FoundMark,
  isOurMark,
  METADATA_KEY,
  readMark
} from './provenance';
import { sha256 } from './sha256';
import { isCode } from './snapshot';
import { DocumentWatch } from './watch';

/**
 * Keep or take out a cell of ours in one document alone, whose thread is gone or acts on another
 * one; throws a sentence if that can't be done. What the person changed is theirs and stays.
 */
export function decideHere(
  panel: NotebookPanel,
  cellId: string,
  verdict: 'kept' | 'undone',
  trans: TranslationBundle
): void {
  const { model, contentsModel } = panel.context;
  if (contentsModel?.writable === false) {
    throw new Error(
      trans.__('This notebook can only be read, so the cell stays as it is.')
    );
  }
  const cell = findCell(model, cellId);
  const mark = readMark(cell?.getMetadata(METADATA_KEY));
  if (!cell || !isOurMark(mark, cellId)) {
    throw new Error(
      trans.__('This cell is no longer one of CaveLab’s, so it stays.')
    );
  }
  if (verdict === 'undone' && isChanged(cell, mark)) {
    throw new Error(
      trans.__(
        'You changed this cell, so it stays. Delete it like any cell of your own if you no longer want it.'
      )
    );
  }
  DocumentWatch.of(panel.context).wrote();
  if (verdict === 'kept') {
    cell.setMetadata(METADATA_KEY, { ...mark, reviewed: true });
  } else {
    applyEdit(model, { kind: 'remove', cellId });
  }
}

function isChanged(cell: ICellModel, mark: FoundMark): boolean {
  const source = cell.sharedModel.getSource();
  return !isCode(cell) || sha256(source) !== (mark.sha256 ?? sha256(source));
}
