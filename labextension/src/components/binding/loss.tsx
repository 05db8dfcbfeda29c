import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useState } from 'react';

import { hasKernel, type Remaining } from '../../panel/binding';
import { rerunTitle, rerunWords } from '../../panel/rerun';
import type { KernelLoss, NextStep } from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { useStillLost } from './stilllost';

/** Names of lost variables shown at once; the rest are counted. */
const NAMES = 8;

/** The kernel's memory is gone, and the person has not yet said what to do about it. */
export function Loss(): React.JSX.Element | null {
  const trans = useTrans();
  const lost = useStillLost();
  const loss = lost?.loss ?? null;
  const rerun = usePanelValue(
    ({ outlook, rerun: runs }) =>
      outlook.thread && loss && runs.of(outlook.thread.threadId, loss)
  );
  const [left, setLeft] = useState<KernelLoss | null>(null);
  if (lost === null || loss === left) {
    return null;
  }
  if (rerun !== null) {
    return (
      <div className="jp-CaveLab-loss" role="status">
        <p>{rerunWords(rerun, trans)}</p>
      </div>
    );
  }
  return lost.total === 0 ? null : (
    <Open lost={lost} leave={() => setLeft(loss)} />
  );
}

/** What is gone, and what can be done about it. */
function Open(props: {
  readonly lost: Remaining;
  readonly leave: () => void;
}): React.JSX.Element {
  const { lost, leave } = props;
  const { loss, names, total } = lost;
  const trans = useTrans();
  const panel = usePanel();
  const running = usePanelValue(
    ({ outlook: { binding } }) => binding !== null && hasKernel(binding)
  );
  const take = (step: NextStep) => void panel.steps.take(step, null);
  return (
    <div className="jp-CaveLab-loss" role="group" data-reason={loss.reason}>
      <p>
        {happenedWords(loss, trans)}: {goneWords(total, trans)}
      </p>
      {names.length > 0 && (
        <p className="jp-CaveLab-quiet">
          {names.slice(0, NAMES).join(', ')}
          {total !== null && total > NAMES ? ' …' : ''}
        </p>
      )}
      <div className="jp-CaveLab-actions">
        {running && (
          <TextButton
            title={rerunTitle(trans)}
            onClick={() => take('rerun_my_cells')}
          >
            {trans.__('Re-run my cells')}
          </TextButton>
        )}
        <TextButton
          onClick={() => {
            leave();
            take('continue_without');
          }}
        >
          {trans.__('Continue without')}
        </TextButton>
      </div>
    </div>
  );
}

function happenedWords(loss: KernelLoss, trans: TranslationBundle): string {
  const time = new Date(loss.at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit'
  });
  return loss.reason === 'shut_down'
    ? trans.__('The kernel was shut down at %1', time)
    : trans.__('Memory lost at %1', time);
}

function goneWords(total: number | null, trans: TranslationBundle): string {
  return total === null
    ? trans.__('which variables it held is not known.')
    : trans._n('%1 variable is gone.', '%1 variables are gone.', total);
}
