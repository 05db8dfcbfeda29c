import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Contents } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import { checkFreshness, type Freshness } from './freshness';
import { LIMITS } from './limits';
import { refresh } from './refresh';
import { never } from '../state/never';
import { DocumentWatch } from './watch';

/**
 * Why cells are not written into the open notebook now, with a sentence for the person.
 */
export interface WriterProblem {
  readonly kind: 'stale' | 'read_only';
  readonly text: string;
}

/**
 * Stands before every change of a document: the file must not have moved on without it. Only what
 * is unsaved already may change further without a look at the file: its next save will ask anyway.
 */
export class FileGuard {
  constructor(
    private readonly _contents: Contents.IManager,
    private readonly _trans: TranslationBundle,
    /** Called when there is reason to look again, after so many milliseconds. */
    private readonly _again: (milliseconds: number) => void
  ) {}

  /** Why the document can't be written, as far as is known. */
  get problem(): WriterProblem | null {
    return this._problem;
  }

  /**
   * Whether what was found may be done now: no change at all needs no leave, and a read-only
   * document gets none. `grave` is what puts cells in or out, or says that one is back.
   */
  allows(panel: NotebookPanel, changes: boolean, grave: boolean): boolean {
    const { model, contentsModel } = panel.context;
    if (changes && contentsModel?.writable === false) {
      this._problem = { kind: 'read_only', text: this._readOnly() };
      return false;
    }
    if (grave || (changes && !model.dirty)) {
      return this._mayWrite(panel);
    }
    this.reset();
    return true;
  }

  /** The panel is another one, or nothing is to be written. */
  reset(): void {
    this._fresh = null;
    this._notBefore = 0;
    this._problem = null;
  }

  /** The document or its file changed: what was found before may hold no longer. */
  hurry(): void {
    this._notBefore = 0;
  }

  /** Whether the document is as new as its file; if that is not known, it is found out. */
  private _mayWrite(panel: NotebookPanel): boolean {
    const now = Date.now();
    const fresh =
      this._fresh?.panel === panel && now - this._fresh.at < LIMITS.freshMs;
    if (!fresh && !this._checking) {
      this._checkWhenDue(panel, this._notBefore - now);
    }
    return fresh;
  }

  private _checkWhenDue(panel: NotebookPanel, wait: number): void {
    if (wait > 0) {
      this._again(wait);
    } else {
      void this._check(panel);
    }
  }

  private async _check(panel: NotebookPanel): Promise<void> {
    this._checking = true;
    try {
      const watch = DocumentWatch.of(panel.context);
      const { context } = panel;
      const found = await checkFreshness(context, this._contents, watch);
      await this._act(panel, found);
    } catch (reason) {
      console.warn('A notebook could not be read again.', reason);
      this._wait(LIMITS.staleMs);
    } finally {
      this._checking = false;
    }
  }

  private async _act(panel: NotebookPanel, found: Freshness): Promise<void> {
    if (panel.isDisposed) {
      this.reset();
      return;
    }
    switch (found) {
      case 'unsure':
        this._wait(LIMITS.freshMs);
        return;
      case 'fresh':
        break;
      case 'stale':
        if (!(await refresh(panel))) {
          this._problem = { kind: 'stale', text: this._stale() };
          this._wait(LIMITS.staleMs);
          return;
        }
        break;
      default:
        never(found);
    }
    this._fresh = { panel, at: Date.now() };
    this._problem = null;
    this._again(0);
  }

  private _wait(milliseconds: number): void {
    this._notBefore = Date.now() + milliseconds;
    this._again(milliseconds);
  }

  private _stale(): string {
    return this._trans.__(
      'This notebook was changed on disk since it was opened here, and was not read again because here it has unsaved changes, or a cell that you run or type in. CaveLab keeps its cells in the chat and puts them in once the notebook is saved or read again.'
    );
  }

  private _readOnly(): string {
    return this._trans.__(
      'This notebook can only be read. CaveLab keeps its cells in the chat.'
    );
  }

  private _fresh: { panel: NotebookPanel; at: number } | null = null;
  private _problem: WriterProblem | null = null;
  private _checking = false;
  private _notBefore = 0;
}
