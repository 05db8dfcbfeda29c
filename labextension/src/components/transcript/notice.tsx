import type { TranslationBundle } from '@jupyterlab/translation';
import React, { memo } from 'react';

import { hasKernel, type IBinding } from '../../panel/binding';
import { rerunTitle } from '../../panel/rerun';
import type { NextStep, NoticeItem, TurnState } from '../../protocol/generated';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { NotebookButtons } from '../notebookbuttons';
import { TourButton } from '../settings/tourbutton';
import { saysWhy, stepsAfter } from './nextsteps';

/** What the server calls it that no model is chosen; the tour needs none. */
const NO_MODEL = 'model_not_set';

/** A sentence with next steps. */
export const NoticeRow = memo(function NoticeRow(props: {
  readonly notice: NoticeItem;
  readonly turn: TurnState | null;
  readonly readOnly: boolean;
}): React.JSX.Element {
  const { notice, turn, readOnly } = props;
  const trans = useTrans();
  const ends = turn?.items.at(-1) === notice && saysWhy(turn);
  const steps = [...notice.actions, ...(ends ? stepsAfter(turn) : [])];
  return (
    <div className="jp-CaveLab-notice" data-level={notice.level}>
      <p>{notice.text}</p>
      {notice.detail !== null && (
        <details>
          <summary>{trans.__("The provider's own words")}</summary>
          <p className="jp-CaveLab-detail">{notice.detail}</p>
        </details>
      )}
      {!readOnly && <StepButtons steps={steps} turn={turn} />}
      {!readOnly && notice.code === NO_MODEL && <TourButton kind="plain" />}
    </div>
  );
});

/** Next steps as buttons. */
export function StepButtons(props: {
  readonly steps: readonly NextStep[];
  readonly turn: TurnState | null;
}): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const binding = usePanelValue(now => now.outlook.binding);
  const steps = props.steps.filter(step => applies(step, binding));
  if (steps.length === 0) {
    return null;
  }
  return (
    <div className="jp-CaveLab-actions">
      {steps.map(step =>
        step === 'start_kernel' && binding === null ? (
          <NotebookButtons key={step} />
        ) : (
          <TextButton
            key={step}
            title={step === 'rerun_my_cells' ? rerunTitle(trans) : undefined}
            onClick={() => void panel.steps.take(step, props.turn)}
          >
            {stepWords(step, trans)}
          </TextButton>
        )
      )}
    </div>
  );
}

/** Whether there is still anything to do: a kernel may have been started since. */
function applies(step: NextStep, binding: IBinding | null): boolean {
  return step !== 'start_kernel' || binding === null || !hasKernel(binding);
}

function stepWords(step: NextStep, trans: TranslationBundle): string {
  switch (step) {
    case 'open_model_settings':
      return trans.__('Model settings');
    case 'try_again':
      return trans.__('Try again');
    case 'new_thread':
      return trans.__('New thread');
    case 'restart_kernel':
      return trans.__('Restart the kernel');
    case 'wait_for_kernel':
      return trans.__('Wait');
    case 'rerun_my_cells':
      return trans.__('Re-run my cells');
    case 'continue_without':
      return trans.__('Continue without');
    case 'start_kernel':
      return trans.__('Start the kernel');
    case 'ask_again':
      return trans.__('Ask again');
    case 'reload_page':
      return trans.__('Reload the page');
    case 'go_on':
      return trans.__('Go on');
    case 'extend_budget':
      return trans.__('Go on with another budget');
    default:
      return never(step);
  }
}
