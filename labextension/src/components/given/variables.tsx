import type { TranslationBundle } from '@jupyterlab/translation';
import React, { memo } from 'react';

import {
  type NotebookCells,
  type CellFate,
  cellFate
} from '../../panel/cellFate';
import { sizeWords, typeWords } from '../../panel/variableWords';
import type { Variable, VariablesResult } from '../../protocol/generated';
import { never } from '../../state/never';
import { exactCount } from '../../state/summary';
import { usePanel, useTrans } from '../context';
import { useVariables } from '../usevariables';
import { Facts } from './facts';

/** The kernel's variables as the model would be told of them now. */
export const Variables = memo(function Variables(): React.JSX.Element {
  const trans = useTrans();
  const seen = useVariables(true);
  const words = seen === null ? trans.__('Looking …') : seen.unavailable;
  if (words !== null || seen === null) {
    return <p className="jp-CaveLab-quiet">{words}</p>;
  }
  return <VariableTable seen={seen} />;
});

function VariableTable(props: {
  readonly seen: VariablesResult;
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const { variables, total } = props.seen;
  const more = total - variables.length;
  if (total === 0) {
    return (
      <p className="jp-CaveLab-quiet">
        {trans.__('The kernel holds no variables.')}
      </p>
    );
  }
  const { path } = panel.shown;
  const cells = path === null ? null : panel.notebooks.cells(path);
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
            <VariableRow
              key={variable.name}
              variable={variable}
              cells={cells}
            />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="jp-CaveLab-quiet">
          {trans.__('%1 more', exactCount(more))}
        </p>
      )}
    </div>
  );
}

function VariableRow(props: {
  readonly variable: Variable;
  readonly cells: NotebookCells | null;
}): React.JSX.Element {
  const { variable, cells } = props;
  const trans = useTrans();
  const fate = fateWords(cellFate(variable, cells), trans);
  return (
    <tr>
      <th scope="row">{variable.name}</th>
      <td>
        {typeWords(variable)}
        <Facts variable={variable} />
        {fate !== null && <span className="jp-CaveLab-fate">{fate}</span>}
      </td>
      <td>{sizeWords(variable)}</td>
    </tr>
  );
}

function fateWords(fate: CellFate, trans: TranslationBundle): string | null {
  switch (fate) {
    case null:
      return null;
    case 'gone':
      return trans.__('its cell is gone');
    case 'edited':
      return trans.__('its cell was edited since');
    default:
      return never(fate);
  }
}
