import React, { useId, useRef, useState } from 'react';

import type { RunState } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Code } from './code';
import { Reject } from './reject';
import { Risks, Unseen } from './risks';
import { StateIcon } from './stateicon';
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
  const deaf = useAttention(card, run.run_id);
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
          void panel.answers.run(props.threadId, run, 'once');
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
      />
      <div className="jp-CaveLab-answers">
        <WaitingActions {...props} deaf={deaf} editing={edited !== null} />
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

function WaitingActions(
  props: IWaitingProps & { readonly deaf: boolean; readonly editing: boolean }
): React.JSX.Element {
  const { run, threadId, deaf, editing } = props;
  const trans = useTrans();
  const panel = usePanel();
  const answer = usePanelValue(now => now.answers.of(run.run_id));
  const mayApprove = usePanelValue(now => now.outlook.mayApprove);
  const [rejecting, setRejecting] = useState(false);
  const off = answer?.kind === 'sending';
  const go = (scope: 'once' | 'turn') => {
    void panel.answers.run(threadId, run, scope);
  };
  if (props.readOnly || !mayApprove) {
    return <NotHere readOnly={props.readOnly} />;
  }
  if (rejecting) {
    return (
      <Reject
        disabled={off}
        onCancel={() => setRejecting(false)}
        onReject={reason => void panel.answers.reject(threadId, run, reason)}
      />
    );
  }
  return (
    <>
      {answer?.kind === 'refused' && (
        <p className="jp-CaveLab-warning">{answer.sentence}</p>
      )}
      <div className="jp-CaveLab-actions" data-deaf={deaf}>
        <TextButton
          kind="accept"
          className={APPROVES_CLASS}
          disabled={off}
          title={trans.__('Run this cell (Ctrl or ⌘ with Enter)')}
          onClick={() => go('once')}
        >
          {editing ? trans.__('Run edited') : trans.__('Run')}
        </TextButton>
        <EditButton {...props} disabled={off} />
        <TextButton disabled={off} onClick={() => setRejecting(true)}>
          {trans.__('Reject')}
        </TextButton>
        <TextButton
          kind="link"
          disabled={off}
          title={trans.__(
            'Run this cell and those that follow in this turn without asking'
          )}
          onClick={() => go('turn')}
        >
          {trans.__('Run all in this turn')}
        </TextButton>
      </div>
    </>
  );
}

/** Says where the answer can be given, in place of buttons that would do nothing. */
function NotHere(props: { readonly readOnly: boolean }): React.JSX.Element {
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-warning">
      {props.readOnly
        ? trans.__('It can only be answered where this thread runs.')
        : trans.__(
            'Approve it in a browser that is signed in. This page came by a token alone, which code in the kernel could read too. Open JupyterLab by its login page to answer.'
          )}
    </p>
  );
}

function EditButton(props: {
  readonly run: RunState;
  readonly editing: boolean;
  readonly disabled: boolean;
}): React.JSX.Element {
  const trans = useTrans();
  const { answers } = usePanel();
  const { run } = props;
  return props.editing ? (
    <TextButton
      disabled={props.disabled}
      title={trans.__('Put the proposed code back')}
      onClick={() => answers.setEdit(run, null)}
    >
      {trans.__('Discard edit')}
    </TextButton>
  ) : (
    <TextButton
      disabled={props.disabled}
      onClick={() => answers.setEdit(run, run.code)}
    >
      {trans.__('Edit')}
    </TextButton>
  );
}
