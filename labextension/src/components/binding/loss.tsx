import React, { useState } from 'react';

import { openLoss } from '../../panel/binding';
import { rerunTitle, rerunWords } from '../../panel/rerun';
import type { NextStep } from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';

/** Names of lost variables shown at once; the rest are counted. */
const NAMES = 8;

/** The kernel's memory is gone, and the person has not yet said what to do about it. */
export function Loss(): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const loss = usePanelValue(
    now => now.outlook.state && openLoss(now.outlook.state)
  );
  const rerun = usePanelValue(
    ({ outlook, rerun: runs }) =>
      outlook.thread && loss && runs.of(outlook.thread.threadId, loss)
  );
  const [answered, setAnswered] = useState<string | null>(null);
  if (loss === null || loss.at === answered) {
    return null;
  }
  if (rerun !== null) {
    return (
      <div className="jp-CaveLab-loss" role="status">
        <p>{rerunWords(rerun, trans)}</p>
      </div>
    );
  }
  const time = new Date(loss.at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit'
  });
  const answer = (step: NextStep) => {
    setAnswered(step === 'continue_without' ? loss.at : null);
    void panel.steps.take(step, null);
  };
  return (
    <div className="jp-CaveLab-loss" role="group">
      <p>
        {loss.lost_total === 0
          ? trans.__('Memory lost at %1: variables are gone.', time)
          : trans._n(
              'Memory lost at %2: %1 variable is gone.',
              'Memory lost at %2: %1 variables are gone.',
              loss.lost_total,
              time
            )}
      </p>
      {loss.lost.length > 0 && (
        <p className="jp-CaveLab-quiet">
          {loss.lost.slice(0, NAMES).join(', ')}
          {loss.lost_total > NAMES ? ' …' : ''}
        </p>
      )}
      <div className="jp-CaveLab-actions">
        <TextButton
          title={rerunTitle(trans)}
          onClick={() => answer('rerun_my_cells')}
        >
          {trans.__('Re-run my cells')}
        </TextButton>
        <TextButton onClick={() => answer('continue_without')}>
          {trans.__('Continue without')}
        </TextButton>
      </div>
    </div>
  );
}
