import React from 'react';

import { typedText } from '../panel/words';
import type { TurnState } from '../protocol/generated';
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
  const offered = promptsAfter(turns ?? [], panel.tour.prompts);
  if (offered.length === 0) {
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
        {offered.map(prompt => (
          <TextButton
            key={prompt}
            kind="accept"
            onClick={() => panel.say(prompt)}
          >
            {prompt}
          </TextButton>
        ))}
      </div>
    </div>
  );
}

/** What the script suggests, or the first in the tour's order that was not asked: each goes on from the one before. */
function promptsAfter(
  turns: readonly TurnState[],
  prompts: readonly string[]
): readonly string[] {
  const suggested = turns.at(-1)?.suggestions ?? [];
  if (suggested.length > 0) {
    return suggested;
  }
  const asked = new Set(turns.map(turn => typedText(turn.content)));
  return prompts.filter(prompt => !asked.has(prompt)).slice(0, 1);
}
