import { CommandRegistry } from '@lumino/commands';
import React, { useState } from 'react';

import type { RunState } from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue, useWayBack } from '../hooks';
import { APPROVES_CLASS, type IAttention } from './attention';
import { Reject } from './reject';

interface IActionsProps {
  readonly run: RunState;
  readonly threadId: string;
  readonly readOnly: boolean;
  /** Whether answers are taken from this page. */
  readonly mayAnswer: boolean;
  readonly attention: IAttention;
  readonly editing: boolean;
  readonly onEdit: () => void;
}

/** The answers to a cell that waits, and what became of the last one. */
export function WaitingActions(props: IActionsProps): React.JSX.Element {
  const answer = usePanelValue(now => now.answers.of(props.run.run_id));
  if (!props.mayAnswer) {
    return <NotHere readOnly={props.readOnly} />;
  }
  return (
    <>
      {answer?.kind === 'refused' && (
        <p className="jp-CaveLab-warning" role="alert">
          {answer.sentence}
        </p>
      )}
      <Answering {...props} busy={answer?.kind === 'sending'} />
    </>
  );
}

interface IBusy {
  readonly busy: boolean;
}

/** The four answers; or the reason for the third, while one is being written. */
function Answering(props: IActionsProps & IBusy): React.JSX.Element {
  const { run, threadId } = props;
  const { answers } = usePanel();
  const [asked, setAsked] = useState(false);
  const [rejectButton, goBack] = useWayBack<HTMLButtonElement>();
  const reason = usePanelValue(now => now.answers.reason(run));
  if (!asked && reason === '') {
    return (
      <Buttons
        {...props}
        rejectButton={rejectButton}
        onReject={() => setAsked(true)}
      />
    );
  }
  return (
    <Reject
      reason={reason}
      onReason={text => {
        setAsked(true);
        answers.setReason(run, text);
      }}
      onShown={field => {
        if (asked) {
          props.attention.enter(() => field.focus());
        }
      }}
      onReject={() => void answers.reject(threadId, run, reason)}
      onCancel={() => {
        goBack();
        setAsked(false);
        answers.setReason(run, '');
      }}
      busy={props.busy}
    />
  );
}

function Buttons(
  props: IActionsProps &
    IBusy & {
      readonly rejectButton: React.Ref<HTMLButtonElement>;
      readonly onReject: () => void;
    }
): React.JSX.Element {
  const { run, threadId, busy } = props;
  const trans = useTrans();
  const { answers } = usePanel();
  return (
    <div className="jp-CaveLab-actions" data-deaf={props.attention.deaf}>
      <TextButton
        kind="accept"
        className={APPROVES_CLASS}
        busy={busy}
        title={trans.__('Run this cell (Ctrl or ⌘ with Enter)')}
        onClick={() => void answers.run(threadId, run, 'once')}
      >
        {props.editing ? trans.__('Run edited') : trans.__('Run')}
        <span className="jp-CaveLab-keys" aria-hidden="true">
          {CommandRegistry.formatKeystroke('Accel Enter')}
        </span>
      </TextButton>
      <EditButton {...props} />
      <TextButton ref={props.rejectButton} busy={busy} onClick={props.onReject}>
        {trans.__('Reject')}
      </TextButton>
      <TextButton
        kind="link"
        busy={busy}
        title={trans.__(
          'Run this cell and those that follow in this turn without asking'
        )}
        onClick={() => void answers.run(threadId, run, 'turn')}
      >
        {trans.__('Run all in this turn')}
      </TextButton>
    </div>
  );
}

function EditButton(props: IActionsProps & IBusy): React.JSX.Element {
  const trans = useTrans();
  const { answers } = usePanel();
  return props.editing ? (
    <TextButton
      busy={props.busy}
      title={trans.__('Put the proposed code back')}
      onClick={() => answers.setEdit(props.run, null)}
    >
      {trans.__('Discard edit')}
    </TextButton>
  ) : (
    <TextButton busy={props.busy} onClick={props.onEdit}>
      {trans.__('Edit')}
    </TextButton>
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
