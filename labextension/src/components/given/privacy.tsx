import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useId } from 'react';

import type { PrivacyMode } from '../../protocol/generated';
import { usePanel, useTrans } from '../context';

/** How much of the data the model may be told, in a word, and below it what that means. */
export function Privacy(props: {
  readonly privacy: PrivacyMode;
}): React.JSX.Element {
  const { privacy } = props;
  const trans = useTrans();
  const panel = usePanel();
  const id = useId();
  const modes = modesIn(trans);
  return (
    <div className="jp-CaveLab-privacy">
      <label htmlFor={id}>{trans.__('Privacy')}</label>
      <select
        id={id}
        className="jp-CaveLab-select"
        value={privacy}
        aria-describedby={`${id}-hint`}
        onChange={event => {
          const chosen = event.target.value as PrivacyMode;
          void panel.sender.attempt(() => panel.shown.set({ privacy: chosen }));
        }}
      >
        {Object.entries(modes).map(([mode, { name, meaning }]) => (
          <option key={mode} value={mode} title={meaning}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="jp-CaveLab-quiet" aria-live="polite">
        {modes[privacy].meaning}
      </p>
    </div>
  );
}

interface IModeWords {
  readonly name: string;
  readonly meaning: string;
}

function modesIn(trans: TranslationBundle): Record<PrivacyMode, IModeWords> {
  return {
    schema: {
      name: trans.__('Schema'),
      meaning: trans.__('Names, types, shapes and columns; no outputs.')
    },
    standard: {
      name: trans.__('Standard'),
      meaning: trans.__(
        'The schema, outputs of agent runs, and what you name with @.'
      )
    },
    full: {
      name: trans.__('Full'),
      meaning: trans.__(
        'Also the first values of variables, and outputs of your cells.'
      )
    }
  };
}
