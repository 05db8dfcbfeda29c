import React from 'react';

import type { RunState } from '../../protocol/generated';
import { asks } from '../../panel/inputs';
import { escapeControls } from '../../render/controls';
import { type RunLabel, runVariables } from '../../state/summary';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { ChangeList } from './changes';
import { Code } from './code';
import { GoToCell } from './gotocell';
import { explain } from './looks';
import { Question } from './question';
import { Risks } from './risks';
import { RunOutputs } from './runoutputs';
import { ScratchWords } from './scratch';

interface IRunBodyProps {
  readonly run: RunState;
  readonly label: RunLabel;
  readonly threadId: string;
  readonly mimeType: string;
  readonly readOnly: boolean;
}

/** All of a run: code, outputs, what it changed, and where its cell is. */
export function RunBody(props: IRunBodyProps): React.JSX.Element {
  const { run, label } = props;
  const trans = useTrans();
  const words = explain(label, run, trans);
  return (
    <>
      {run.by === 'user' && run.replaces !== null && (
        <p className="jp-CaveLab-quiet">{trans.__('Edited by you.')}</p>
      )}
      <Code
        className="jp-CaveLab-capped"
        code={escapeControls(run.code)}
        mimeType={props.mimeType}
        label={trans.__('Code of the run')}
        growing={label === 'writing'}
      />
      <LostEdit run={run} mimeType={props.mimeType} />
      <LostReason run={run} />
      {words !== null && <p className="jp-CaveLab-reason">{words}</p>}
      {run.status === null && <Risks risks={run.risks} />}
      <RunOutputs run={run} threadId={props.threadId} />
      {asks(run) && <Question {...props} run={run} />}
      <ChangeList {...runVariables(run)} />
      <RunActions {...props} />
    </>
  );
}

/** What the person had made of the code when the question was closed, to be copied. */
function LostEdit(props: {
  readonly run: RunState;
  readonly mimeType: string;
}): React.JSX.Element | null {
  const trans = useTrans();
  const code = usePanelValue(now => now.answers.lostEdit(props.run));
  return code === null ? null : (
    <details>
      <summary>{trans.__('Your edit was not run')}</summary>
      <Code
        code={code}
        mimeType={props.mimeType}
        label={trans.__('Your edit of the code')}
      />
    </details>
  );
}

/** What the person had written about the code when the question was closed. */
function LostReason(props: {
  readonly run: RunState;
}): React.JSX.Element | null {
  const trans = useTrans();
  const reason = usePanelValue(now => now.answers.lostReason(props.run));
  return reason === null ? null : (
    <p className="jp-CaveLab-reason">
      {trans.__('Your reason for rejecting it was not sent: %1', reason)}
    </p>
  );
}

function RunActions(props: IRunBodyProps): React.JSX.Element {
  const { run, label, readOnly } = props;
  const trans = useTrans();
  const panel = usePanel();
  return (
    <div className="jp-CaveLab-actions">
      <ScratchWords run={run} />
      {label === 'no_longer_open' && !readOnly && (
        <TextButton onClick={() => void panel.steps.askAgain(run)}>
          {trans.__('Ask again')}
        </TextButton>
      )}
      <GoToCell run={run} words={trans.__('Go to cell')} />
      <VerdictWords run={run} />
    </div>
  );
}

function VerdictWords(props: {
  readonly run: RunState;
}): React.JSX.Element | null {
  const trans = useTrans();
  const words = {
    kept: trans.__('kept'),
    undone: trans.__('cell undone'),
    edited_since: trans.__('edited since'),
    deleted_by_user: trans.__('cell deleted by you')
  };
  const { verdict } = props.run;
  return verdict === null ? null : (
    <span className="jp-CaveLab-quiet">{words[verdict]}</span>
  );
}
