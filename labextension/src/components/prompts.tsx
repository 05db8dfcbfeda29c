import React from 'react';

import { typedText } from '../panel/words';
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
  const asked = new Set(turns?.map(turn => typedText(turn.content)));
  // One at a time, in the tour's order: each goes on from the one before.
  const next = panel.tour.prompts.find(prompt => !asked.has(prompt));
  if (next === undefined) {
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
        <TextButton kind="accept" onClick={() => panel.say(next)}>
          {next}
        </TextButton>
      </div>
    </div>
  );
}
