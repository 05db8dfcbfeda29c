import React, { useEffect, useState } from 'react';

import { sentence } from '../../panel/sentence';
import type { Variable, VariablesResult } from '../../protocol/generated';
import { usePanel, useTrans } from '../context';

/** Columns named in a row; the rest are counted. */
const COLUMNS = 12;

/** The kernel's variables as the model would be told of them now. */
export function Variables(props: {
  readonly threadId: string;
}): React.JSX.Element {
  const { threadId } = props;
  const trans = useTrans();
  const { client } = usePanel();
  const [seen, setSeen] = useState<VariablesResult | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    client
      .request({ type: 'variables.look', thread_id: threadId })
      .then(result => {
        if (current && result?.type === 'variables') {
          setSeen(result);
        }
      })
      .catch((reason: unknown) => current && setProblem(sentence(reason)));
    return () => {
      current = false;
    };
  }, [client, threadId]);
  const words =
    problem ?? seen?.unavailable ?? (seen ? null : trans.__('Looking …'));
  if (words !== null || seen === null) {
    return <p className="jp-CaveLab-quiet">{words}</p>;
  }
  return <VariableTable seen={seen} />;
}

function VariableTable(props: {
  readonly seen: VariablesResult;
}): React.JSX.Element {
  const trans = useTrans();
  const { variables, total } = props.seen;
  const more = total - variables.length;
  if (total === 0) {
    return (
      <p className="jp-CaveLab-quiet">
        {trans.__('The kernel holds no variables.')}
      </p>
    );
  }
  return (
    <div className="jp-CaveLab-wide" tabIndex={0}>
      <p className="jp-CaveLab-quiet">
        {trans._n(
          '%1 variable, for the next message',
          '%1 variables, for the next message',
          total
        )}
      </p>
      <table className="jp-CaveLab-variables">
        <thead>
          <tr>
            <th scope="col">{trans.__('Variable')}</th>
            <th scope="col">{trans.__('Type')}</th>
            <th scope="col">{trans.__('Size')}</th>
          </tr>
        </thead>
        <tbody>
          {variables.map(variable => (
            <VariableRow key={variable.name} variable={variable} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="jp-CaveLab-quiet">{trans.__('%1 more', more)}</p>
      )}
    </div>
  );
}

function VariableRow(props: {
  readonly variable: Variable;
}): React.JSX.Element {
  const { variable } = props;
  const size = variable.shape?.join(' × ') ?? variable.length ?? '';
  return (
    <tr>
      <th scope="row">{variable.name}</th>
      <td>
        {variable.type}
        <Columns variable={variable} />
      </td>
      <td>{size}</td>
    </tr>
  );
}

function Columns(props: {
  readonly variable: Variable;
}): React.JSX.Element | null {
  const trans = useTrans();
  const { columns, columns_total: total } = props.variable;
  if (columns === null || columns.length === 0) {
    return null;
  }
  const shown = columns.slice(0, COLUMNS);
  const more = (total ?? columns.length) - shown.length;
  return (
    <span className="jp-CaveLab-columns">
      {shown.map(column => `${column.name}: ${column.dtype}`).join(', ')}
      {more > 0 && `, ${trans.__('%1 more', more)}`}
    </span>
  );
}
