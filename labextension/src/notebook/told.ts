import type { Verdict } from '../protocol/generated';
import type { DesiredCell } from '../state/cells';
import type { Report, SnapshotCell } from './plan';

/**
 * A report on its way to the server, and the verdict that stood when it was made.
 */
export interface Told {
  readonly report: Report;
  readonly over: Verdict | null;
}

/**
 * Make the report that the document holds a cell; null if the server knows. One that it takes for
 * gone, or that comes `back`, is reported whatever was known of it before.
 */
export function placedReport(
  cell: DesiredCell,
  found: SnapshotCell,
  told: readonly Told[],
  back: boolean
): Report | null {
  const { runId, cellId, placed, verdict } = cell;
  const level = found.inFile ? 'in_file' : 'in_document';
  const known = placed === 'in_file' || placed === level;
  const report: Report = { kind: 'placed', runId, cellId, level };
  const stands = known && !back && !wasDeleted(verdict);
  return stands || includes(told, report) ? null : report;
}

/**
 * Make the report of what the person did to a cell; null if the server knows.
 */
export function verdictReport(
  cell: DesiredCell,
  told: readonly Told[],
  verdict: Extract<Report, { kind: 'reviewed' }>['verdict']
): Report | null {
  const { runId } = cell;
  const report: Report = { kind: 'reviewed', runId, verdict };
  return cell.verdict === verdict || includes(told, report) ? null : report;
}

/**
 * What has been told and still stands: not what the server has gone on from since; nor where the cell
 * is once it was taken `out`, or that it was once it is back, for the next time is another.
 */
export function standing(
  told: readonly Told[],
  cell: DesiredCell,
  out: boolean
): readonly Told[] {
  return told.filter(
    one =>
      one.report.runId === cell.runId &&
      (one.report.kind === 'placed'
        ? !out && wasDeleted(one.over) === wasDeleted(cell.verdict)
        : one.over === cell.verdict && (out || !wasDeleted(one.report.verdict)))
  );
}

/**
 * What has been told without a report that the server did not take.
 */
export function untold(told: readonly Told[], report: Report): readonly Told[] {
  return told.filter(one => !same(one.report, report));
}

function wasDeleted(verdict: Verdict | null): boolean {
  return verdict === 'deleted_by_user';
}

function includes(told: readonly Told[], report: Report): boolean {
  return told.some(one => same(one.report, report));
}

function same(one: Report, other: Report): boolean {
  return what(one) === what(other) && one.runId === other.runId;
}

function what(report: Report): string {
  return report.kind === 'placed' ? report.level : report.verdict;
}
