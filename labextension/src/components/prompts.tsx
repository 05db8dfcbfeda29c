import React from 'react';

import { textOf } from '../panel/words';
import { TextButton } from './button';
import { usePanel, useTrans } from './context';
import { usePanelValue } from './hooks';
import { Scripted } from './transcript/turn';

/** What can be asked in the tour, as buttons, while its thread is shown. */
export function Prompts(): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const scripted = usePanelValue(now => now.outlook.scripted);
  const turns = usePanelValue(now => now.outlook.state?.turns ?? null);
  const busy = usePanelValue(now => now.outlook.busy);
  if (!scripted || busy) {
    return null;
  }
  const asked = new Set(turns?.map(turn => textOf(turn.content)));
  const left = panel.tour.prompts.filter(prompt => !asked.has(prompt));
  if (left.length === 0) {
    return null;
  }
  return (
    <div
      className="jp-CaveLab-prompts"
      role="group"
      aria-label={trans.__('What to ask in the tour')}
    >
      <Scripted />
      <div className="jp-CaveLab-actions">
        {left.map((prompt, at) => (
          <TextButton
            key={prompt}
            kind={at === 0 ? 'accept' : 'plain'}
            onClick={() => panel.say(prompt)}
          >
            {prompt}
          </TextButton>
        ))}
      </div>
    </div>
  );
}
