import React from 'react';

import { hasKernel, type IBinding, nameOf } from '../panel/binding';
import { useTrans } from './context';
import { usePanelValue } from './hooks';
import { NotebookButtons } from './notebookbuttons';
import { Welcome } from './settings/welcome';
import { NoStatus } from './settings/settings';

/** What stands in the middle before the first message. */
export function Empty(): React.JSX.Element {
  const status = usePanelValue(panel => panel.server.status);
  const model = usePanelValue(panel => panel.outlook.modelName);
  const binding = usePanelValue(panel => panel.outlook.binding);
  return (
    <div className="jp-CaveLab-empty">
      {status === null ? (
        <NoStatus />
      ) : (
        <>
          {model === null && <Welcome status={status} />}
          {binding === null && <NoNotebook first={model !== null} />}
          {model !== null && binding !== null && <Ready binding={binding} />}
        </>
      )}
    </div>
  );
}

/** Says that no notebook is open; `first` if nothing else is to be done before. */
function NoNotebook(props: { readonly first: boolean }): React.JSX.Element {
  const trans = useTrans();
  return (
    <div className="jp-CaveLab-page">
      <p>{trans.__('No notebook is open. CaveLab works beside one.')}</p>
      <div className="jp-CaveLab-actions">
        <NotebookButtons kind={props.first ? 'accept' : 'plain'} />
      </div>
    </div>
  );
}

function Ready(props: { readonly binding: IBinding }): React.JSX.Element {
  const trans = useTrans();
  const name = nameOf(props.binding.path);
  return (
    <div className="jp-CaveLab-page">
      <p className="jp-CaveLab-quiet">
        {hasKernel(props.binding)
          ? trans.__(
              'CaveLab sees the variables in the kernel of %1, and puts the cells it writes there.',
              name
            )
          : trans.__(
              'CaveLab puts the cells it writes into %1. Once its kernel runs, it also sees the variables there.',
              name
            )}
      </p>
    </div>
  );
}
