import type { Verdict } from '../protocol/generated';
import type { DesiredCell } from '../state/cells';
import type { CellMark, FoundMark } from './provenance';

/**
 * A cell as it stands in the document now.
 */
export interface SnapshotCell {
  readonly id: string;
  readonly type: string;
  /** What its metadata says of us; a copy carries the mark of the cell it was copied from. */
  readonly mark: FoundMark | null;
  /** Read only where there is a mark. */
  readonly source: string | null;
  readonly executionCount: number | null;
  /** Whether it shows `[*]`; null where the model doesn't say. */
  readonly running: boolean | null;
  /** Whether the saved file is known to hold it. */
  readonly inFile: boolean;
  /** Whether the person has run it since the document was loaded. */
  readonly personRan: boolean;
}

/**
 * The document at one moment.
 */
export interface DocumentSnapshot {
  readonly cells: readonly SnapshotCell[];
  /** Whether it was replaced as a whole since the last look: reverted, reloaded, reopened. */
  readonly replaced: boolean;
  readonly nbformatMinor: number;
  /** Whether we may write; if not, only the person's doings are remembered. */
  readonly writable: boolean;
}

/**
 * One change of the document; in order, each index holds after the edits before it.
 */
export type Edit =
  /** Ids are kept in a file from nbformat 4.5 on. */
  | { readonly kind: 'upgrade_minor' }
  /** Insert, and take out the attempts whose place it takes, as one step. */
  | {
      readonly kind: 'insert';
      readonly cell: DesiredCell;
      readonly index: number;
      readonly replaces: readonly string[];
      readonly mark: CellMark;
    }
  | { readonly kind: 'remove'; readonly cellId: string }
  | { readonly kind: 'outputs'; readonly cell: DesiredCell }
  | { readonly kind: 'count'; readonly cellId: string; readonly count: number }
  | {
      readonly kind: 'state';
      readonly cellId: string;
      readonly running: boolean;
    }
  | {
      readonly kind: 'mark';
      readonly cellId: string;
      readonly mark: CellMark;
      /** Whether to hide its code and outputs, once. */
      readonly fold: boolean;
    };

/**
 * What the server should know.
 */
export type Report =
  | {
      readonly kind: 'placed';
      readonly runId: string;
      readonly cellId: string;
      readonly level: 'in_document' | 'in_file';
    }
  | {
      readonly kind: 'reviewed';
      readonly runId: string;
      readonly verdict: Exclude<Verdict, 'undone'>;
    };
