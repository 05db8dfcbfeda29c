import React, { useId, useRef } from 'react';

import type { RunState } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Code } from './code';
import { Risks, Unseen } from './risks';
import { StateIcon } from './stateicon';
import { WaitingActions } from './waitingactions';
import {
  APPROVES_CLASS,
  isAccelEnter,
  useAttention,
  WAITING_CLASS
} from './attention';

interface IWaitingProps {
  readonly run: RunState;
  readonly threadId: string;
  readonly mimeType: string;
  readonly readOnly: boolean;
}

/**
 * A proposed cell that waits for the person: all of its code, what it may touch,
 * and the four answers.
 */
export function WaitingCard(props: IWaitingProps): React.JSX.Element {
  const { run } = props;
  const trans = useTrans();
  const panel = usePanel();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const attention = useAttention(card, run.run_id);
  const editAsked = useRef(false);
  const mayAnswer =
    usePanelValue(now => now.outlook.mayApprove) && !props.readOnly;
  const edited = usePanelValue(now => now.answers.edit(run));
  const shown = escapeControls(run.code);
  return (
    <section
      ref={card}
      className={`jp-CaveLab-card ${WAITING_CLASS}`}
      data-state="waiting"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-touch`}
      tabIndex={-1}
      onKeyDown={event => leaveEditor(event, card.current)}
      onKeyDownCapture={event => {
        if (isRunInEditor(event)) {
          event.preventDefault();
          event.stopPropagation();
          if (mayAnswer) {
            void panel.answers.run(props.threadId, run, 'once');
          }
        }
      }}
    >
      <div className="jp-CaveLab-cardHead">
        <StateIcon of="waiting" />
        <span id={`${id}-title`} className="jp-CaveLab-purpose">
          {escapeControls(run.purpose) || trans.__('New cell')}
        </span>
        <span className="jp-CaveLab-stateWords">
          {trans.__('waiting for you')}
        </span>
      </div>
      <div id={`${id}-touch`} className="jp-CaveLab-touch">
        <Risks risks={run.risks} />
        <Unseen code={edited ?? run.code} />
      </div>
      <Code
        key={edited === null ? 'read' : 'edit'}
        className={APPROVES_CLASS}
        code={edited ?? shown}
        mimeType={props.mimeType}
        label={trans.__('Proposed code')}
        onEdit={
          edited === null ? undefined : code => panel.answers.setEdit(run, code)
        }
        onMade={editor => {
          if (editAsked.current) {
            editAsked.current = false;
            attention.enter(() => editor.focus());
          }
        }}
      />
      <div className="jp-CaveLab-answers">
        <WaitingActions
          {...props}
          attention={attention}
          editing={edited !== null}
          onEdit={() => {
            editAsked.current = true;
            panel.answers.setEdit(run, run.code);
          }}
        />
      </div>
    </section>
  );
}

/** The editor would take Accel Enter for a new line before JupyterLab's shortcuts see it. */
function isRunInEditor(event: React.KeyboardEvent): boolean {
  return isAccelEnter(event) && isInEditor(event);
}

function isInEditor(event: React.KeyboardEvent): boolean {
  return (
    event.target instanceof Element &&
    event.target.closest('.jp-CaveLab-code') !== null
  );
}

/** Esc leads out of the editor, where Tab indents. */
function leaveEditor(
  event: React.KeyboardEvent,
  card: HTMLElement | null
): void {
  if (event.key === 'Escape' && isInEditor(event)) {
    event.stopPropagation();
    card?.focus();
  }
}
