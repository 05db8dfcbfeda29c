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
  const [left, setLeft] = useState<string | null>(null);
  if (lost === null || loss?.at === left) {
    return null;
  }
  return (
    <>
      {rerun !== null && (
        <p className="jp-CaveLab-loss" role="status">
          {rerunWords(rerun, trans)}
        </p>
      )}
      {lost.total !== 0 && rerun?.kind !== 'running' && (
        <Open lost={lost} leave={() => setLeft(loss?.at ?? null)} />
      )}
    </>
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
      <p>{lossWords(loss, total, trans)}</p>
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

/** What happened when, and how much is gone; the whole sentences are for the translator. */
function lossWords(
  { reason, at }: KernelLoss,
  total: number | null,
  trans: TranslationBundle
): string {
  const time = new Date(at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit'
  });
  if (reason === 'shut_down') {
    return total === null
      ? trans.__(
          'The kernel was shut down at %1. Which variables it held is not known.',
          time
        )
      : trans._n(
          'The kernel was shut down at %2: %1 variable is gone.',
          'The kernel was shut down at %2: %1 variables are gone.',
          total,
          time
        );
  }
  return total === null
    ? trans.__('Memory lost at %1. Which variables it held is not known.', time)
    : trans._n(
        'Memory lost at %2: %1 variable is gone.',
        'Memory lost at %2: %1 variables are gone.',
        total,
        time
      );
}
