import React, { useState } from 'react';

import type { ServerStatus } from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { ModelForm } from './modelform';
import { Problems } from './settings';
import { TourButton } from './tourbutton';

/** The first start: no model has been chosen yet. */
export function Welcome(props: {
  readonly status: ServerStatus;
}): React.JSX.Element {
  const { status } = props;
  const trans = useTrans();
  const panel = usePanel();
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="jp-CaveLab-page">
      <p>
        {trans.__(
          'Say what you want, and CaveLab writes cells that run in the kernel of your notebook, with the variables you have.'
        )}
      </p>
      <TourButton kind="accept" />
      {choosing ? (
        <ModelForm status={status} onSaved={() => panel.focus()} />
      ) : (
        <div className="jp-CaveLab-tour">
          <TextButton onClick={() => setChoosing(true)}>
            {trans.__('Choose a model')}
          </TextButton>
          <span className="jp-CaveLab-quiet">{keyWords(status, trans)}</span>
        </div>
      )}
      <Problems problems={status.problems} />
    </div>
  );
}

function keyWords(
  status: ServerStatus,
  trans: ReturnType<typeof useTrans>
): string {
  return status.key_names.length > 0
    ? trans.__('Keys found on this server: %1', status.key_names.join(', '))
    : trans.__(
        'Any model that litellm knows, or any OpenAI-compatible address, also on this machine.'
      );
}
