import React from 'react';

import { modeWords, OFFERED_MODES } from '../../panel/modes';
import type { Mode } from '../../protocol/generated';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';

/** The mode of the thread; only modes that the administrator allows. */
export function ModeSelect(props: {
  readonly disabled: boolean;
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const mode = usePanelValue(now => now.outlook.mode);
  const allowed = usePanelValue(now => now.server.status?.allowed_modes);
  const offered = OFFERED_MODES.filter(one => allowed?.includes(one) ?? true);
  return (
    <select
      className="jp-CaveLab-select jp-CaveLab-mode"
      data-mode={mode}
      aria-label={trans.__('Mode')}
      title={trans.__('Whether cells run, and whether you are asked')}
      value={mode}
      disabled={props.disabled}
      onChange={event => {
        const chosen = event.target.value as Mode;
        void panel.sender.attempt(() => panel.shown.set({ mode: chosen }));
      }}
    >
      {[...new Set<Mode>([...offered, mode])].map(one => (
        <option key={one} value={one}>
          {modeWords(one, trans)}
        </option>
      ))}
    </select>
  );
}
