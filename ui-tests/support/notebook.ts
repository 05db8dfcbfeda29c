import { readFile } from 'node:fs/promises';
import path from 'node:path';

import {
  type ICodeCell,
  type INotebookContent,
  type IOutput
} from '@jupyterlab/nbformat';
import { expect } from '@playwright/test';

import { type CellMark } from '../../labextension/src/notebook/provenance';
import { type Home } from './home';
import { askPython } from './process';

/** A kernel, as a notebook's file names it. */
export interface IKernelName {
  readonly name: string;
  readonly display_name: string;
  readonly language: string;
}

export const PYTHON: IKernelName = {
  name: 'python3',
  display_name: 'Python 3 (ipykernel)',
  language: 'python'
};

/** A notebook with these code cells, for the Python kernel. */
export function notebookOf(...sources: readonly string[]): INotebookContent {
  return notebookFor(PYTHON, ...sources);
}

/** A notebook with these code cells, for a kernel. */
export function notebookFor(
  kernel: IKernelName,
  ...sources: readonly string[]
): INotebookContent {
  return {
    cells: sources.map((source, at) => ({
      id: `mine-${at}`,
      cell_type: 'code',
      source,
      metadata: {},
      outputs: [],
      execution_count: null
    })),
    metadata: { kernelspec: { ...kernel } },
    nbformat: 4,
    nbformat_minor: 5
  };
}

/** A code cell as it stands in a saved file. */
export class SavedCell {
  constructor(private readonly cell: ICodeCell) {}

  get id(): string {
    return String(this.cell.id);
  }

  get source(): string {
    return joined(this.cell.source);
  }

  get outputs(): readonly IOutput[] {
    return this.cell.outputs;
  }

  get count(): number | null {
    return this.cell.execution_count;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.cell.metadata;
  }

  /** What CaveLab says of a cell of its own; undefined for the person's. */
  get mark(): CellMark | undefined {
    return this.metadata['cave_lab'] as CellMark | undefined;
  }

  /** All text of its outputs: streams, results and errors. */
  get text(): string {
    return this.outputs.map(textOf).join('');
  }

  /** The mime types of its results and displays. */
  get mimeTypes(): readonly string[] {
    return this.outputs.flatMap(output =>
      Object.keys((output['data'] as object | undefined) ?? {})
    );
  }
}

function joined(text: unknown): string {
  return Array.isArray(text) ? text.join('') : ((text as string | null) ?? '');
}

function textOf(output: IOutput): string {
  const data = output['data'] as Record<string, unknown> | undefined;
  const error = output as { ename?: string; evalue?: string };
  const words = error.ename ? `${error.ename}: ${error.evalue}` : '';
  return joined(output['text']) + joined(data?.['text/plain']) + words;
}

/** The cells of a notebook as its file holds them; fails if nbformat finds the file invalid. */
export async function readSaved(
  home: Home,
  notebook: string
): Promise<readonly SavedCell[]> {
  const file = path.join(home.root, notebook);
  expect(await askPython('check_notebook.py', file)).toEqual([]);
  const content = JSON.parse(await readFile(file, 'utf8')) as INotebookContent;
  return content.cells.map(cell => new SavedCell(cell as ICodeCell));
}
