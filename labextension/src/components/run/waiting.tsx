import type { CodeEditor } from '@jupyterlab/codeeditor';
import React, { useId, useRef } from 'react';

import type { RunState } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { isOfInputMethod } from '../keys';
import { Code } from './code';
import { Risks, Unseen } from './risks';
import { ScratchWords } from './scratch';
import { StateIcon } from './stateicon';
import { WaitingActions } from './waitingactions';
import {
  APPROVES_CLASS,
  type IAttention,
  isAccelEnter,
  useAttention,
  useRunAsked,
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
  const panel = usePanel();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const attention = useAttention(card, run.run_id);
  const editAsked = useRef(false);
  const signedIn = usePanelValue(now => now.outlook.mayApprove);
  const mayAnswer = signedIn && !props.readOnly;
  const edited = usePanelValue(now => now.answers.edit(run));
  const runOnce = () => {
    if (mayAnswer) {
      void panel.answers.run(props.threadId, run, 'once');
    }
  };
  useRunAsked(card, run.run_id, attention, runOnce);
  const runInEditor = (event: React.KeyboardEvent) => {
    if (isAccelEnter(event) && isInEditor(event)) {
      event.preventDefault();
      event.stopPropagation();
      runOnce();
    }
  };
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
      // The editor would take Accel Enter for a new line before JupyterLab's shortcuts see it.
      onKeyDownCapture={runInEditor}
    >
      <Head id={`${id}-title`} run={run} />
      <div id={`${id}-touch`} className="jp-CaveLab-touch">
        <ScratchWords run={run} />
        <Risks risks={run.risks} />
        <Unseen code={edited ?? run.code} />
      </div>
      <Proposed
        {...props}
        edited={edited}
        editAsked={editAsked}
        attention={attention}
      />
      <div className="jp-CaveLab-answers">
        <WaitingActions
          {...props}
          mayAnswer={mayAnswer}
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

function Head(props: {
  readonly id: string;
  readonly run: RunState;
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <div className="jp-CaveLab-cardHead">
      <StateIcon of="waiting" />
      <span id={props.id} className="jp-CaveLab-purpose">
        {escapeControls(props.run.purpose) || trans.__('New cell')}
      </span>
      <span className="jp-CaveLab-stateWords">
        {trans.__('waiting for you')}
      </span>
    </div>
  );
}

interface IProposedProps {
  readonly run: RunState;
  readonly mimeType: string;
  /** What the person has made of the code, or null. */
  readonly edited: string | null;
  /** Whether the person has just asked to edit; only then is the focus taken. */
  readonly editAsked: React.MutableRefObject<boolean>;
  readonly attention: IAttention;
}

/** The code as it was proposed, or as it is being edited. */
function Proposed(props: IProposedProps): React.JSX.Element {
  const { run, edited, editAsked } = props;
  const trans = useTrans();
  const { answers } = usePanel();
  const onMade = (editor: CodeEditor.IEditor) => {
    if (editAsked.current) {
      editAsked.current = false;
      props.attention.enter(() => editor.focus());
    }
  };
  return (
    <Code
      key={edited === null ? 'read' : 'edit'}
      className={APPROVES_CLASS}
      code={edited ?? escapeControls(run.code)}
      mimeType={props.mimeType}
      label={trans.__('Proposed code')}
      onEdit={edited === null ? undefined : code => answers.setEdit(run, code)}
      onMade={onMade}
    />
  );
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
  const ours = !isOfInputMethod(event.nativeEvent);
  if (ours && event.key === 'Escape' && isInEditor(event)) {
    event.stopPropagation();
    card?.focus();
  }
}
