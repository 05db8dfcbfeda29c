import React from 'react';

import { nameOf } from '../panel/binding';
import { TextButton } from './button';
import { usePanel, useTrans } from './context';
import { usePanelValue } from './hooks';
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
      ) : model === null ? (
        <Welcome status={status} />
      ) : binding === null ? (
        <NoNotebook />
      ) : (
        <Ready path={binding.path} />
      )}
    </div>
  );
}

function NoNotebook(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  return (
    <div className="jp-CaveLab-page">
      <p>{trans.__('No notebook is open. CaveLab works beside one.')}</p>
      <div className="jp-CaveLab-actions">
        <TextButton
          kind="accept"
          onClick={() =>
            void panel.sender.attempt(() => panel.notebooks.create())
          }
        >
          {trans.__('Create a notebook')}
        </TextButton>
        <TextButton
          onClick={() =>
            void panel.sender.attempt(() => panel.notebooks.browse())
          }
        >
          {trans.__('Open one')}
        </TextButton>
      </div>
    </div>
  );
}

function Ready(props: { readonly path: string }): React.JSX.Element {
  const trans = useTrans();
  return (
    <div className="jp-CaveLab-page">
      <p className="jp-CaveLab-quiet">
        {trans.__(
          'CaveLab sees the variables in the kernel of %1, and puts the cells it writes there.',
          nameOf(props.path)
        )}
      </p>
    </div>
  );
}
