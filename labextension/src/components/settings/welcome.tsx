import React from 'react';

import type { ServerStatus } from '../../protocol/generated';
import { usePanel, useTrans } from '../context';
import { ModelChooser } from './modelchooser';
import { Problems } from './settings';
import { TourButton } from './tourbutton';

/** The first start: no model has been chosen yet. */
export function Welcome(props: {
  readonly status: ServerStatus;
}): React.JSX.Element {
  const { status } = props;
  const trans = useTrans();
  const panel = usePanel();
  return (
    <div className="jp-CaveLab-page">
      <p>
        {trans.__(
          'Say what you want, and CaveLab writes cells that run in the kernel of your notebook, with the variables you have.'
        )}
      </p>
      <TourButton kind="accept" />
      <ModelChooser
        status={status}
        open={false}
        onSaved={() => panel.focus()}
      />
      <Problems problems={status.problems} />
    </div>
  );
}
