import React from 'react';

import type { Variable } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { exactCount } from '../../state/summary';
import { useTrans } from '../context';

/** Columns named in a row; the rest are counted. */
const COLUMNS = 12;

/** What is known of a variable besides its type and size: a word on what it holds, its columns. */
export function Facts(props: {
  readonly variable: Variable;
}): React.JSX.Element | null {
  const { summary } = props.variable;
  const columns = useColumns(props.variable);
  if (!summary && columns === null) {
    return null;
  }
  return (
    <>
      {summary && (
        <span className="jp-CaveLab-columns">{escapeControls(summary)}</span>
      )}
      {columns !== null && (
        <span className="jp-CaveLab-columns">{columns}</span>
      )}
    </>
  );
}

/** The columns of a table, or the fields of an object, with their types. */
function useColumns(variable: Variable): string | null {
  const trans = useTrans();
  const { columns, columns_total: total } = variable;
  if (columns === null || columns.length === 0) {
    return null;
  }
  const shown = columns
    .slice(0, COLUMNS)
    .map(({ name, dtype }) => (dtype === '' ? name : `${name}: ${dtype}`));
  const more = (total ?? columns.length) - shown.length;
  return escapeControls(
    [
      ...shown,
      ...(more > 0 ? [trans.__('%1 more', exactCount(more))] : [])
    ].join(', ')
  );
}
