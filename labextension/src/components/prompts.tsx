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
  const scripted = usePanelValue(now => now.scripted);
  const turns = usePanelValue(now => now.state?.turns ?? null);
  const busy = usePanelValue(now => now.busy);
  if (!scripted) {
    return null;
  }
  const asked = new Set(turns?.map(turn => textOf(turn.content)));
  const left = panel.tour.prompts.filter(prompt => !asked.has(prompt));
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
            disabled={busy}
            onClick={() => void panel.sender.send(prompt)}
          >
            {prompt}
          </TextButton>
        ))}
      </div>
    </div>
  );
}
