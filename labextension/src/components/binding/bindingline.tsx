import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import { type IBinding, nameOf } from '../../panel/binding';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { NotebookButtons } from '../notebookbuttons';
import { Loss } from './loss';

/** Which notebook and kernel the thread acts on, always. */
export function BindingLine(): React.JSX.Element | null {
  const trans = useTrans();
  const binding = usePanelValue(panel => panel.outlook.binding);
  const fresh = usePanelValue(panel => panel.outlook.thread === null);
  const known = usePanelValue(panel => panel.outlook.state !== null);
  if (binding === null) {
    return known ? <NoNotebook /> : null;
  }
  return (
    <div className="jp-CaveLab-binding">
      <Line binding={binding} />
      {!fresh && !binding.own && (
        <p className="jp-CaveLab-inFront">
          {trans.__('The next message of this thread goes to it.')}
        </p>
      )}
      {!fresh && binding.inFront !== null && (
        <InFront path={binding.inFront} bound={binding.path} />
      )}
      <Loss />
      {!binding.elsewhere && <NoKernel binding={binding} />}
    </div>
  );
}

/** A thread that acts on nothing, and nothing is open that it could act on. */
function NoNotebook(): React.JSX.Element {
  const trans = useTrans();
  return (
    <div className="jp-CaveLab-binding">
      <div className="jp-CaveLab-inFront jp-CaveLab-actions">
        <span>{trans.__('No notebook is open.')}</span>
        <NotebookButtons kind="link" />
      </div>
    </div>
  );
}

function Line(props: { readonly binding: IBinding }): React.JSX.Element {
  const { binding } = props;
  const trans = useTrans();
  const panel = usePanel();
  const words = activityWords(binding, trans);
  if (binding.elsewhere) {
    return (
      <p className="jp-CaveLab-bindingLine">
        {trans.__(
          '%1 lies in a folder that this server does not serve. The thread can be read here; begin another one for a notebook that is open here.',
          nameOf(binding.path)
        )}
      </p>
    );
  }
  return (
    <p className="jp-CaveLab-bindingLine" data-activity={binding.activity}>
      <button
        type="button"
        className="jp-CaveLab-linkButton"
        title={trans.__('Go to %1', binding.path)}
        onClick={() =>
          void panel.sender.attempt(() => panel.notebooks.open(binding.path))
        }
      >
        {nameOf(binding.path)}
      </button>
      {binding.kernelName !== null && <span> · {binding.kernelName}</span>}
      <span> · </span>
      <span className="jp-CaveLab-activity">{words}</span>
      {binding.queued > 1 && (
        <span> · {trans.__('%1 queued', binding.queued)}</span>
      )}
    </p>
  );
}

/** What the kernel does, in words. */
function activityWords(binding: IBinding, trans: TranslationBundle): string {
  const { activity, queued } = binding;
  switch (activity) {
    case 'not_connected':
      return trans.__('not connected');
    case 'none':
      return trans.__('no kernel');
    case 'starting':
      return trans.__('starting');
    case 'idle':
      return trans.__('idle');
    case 'busy_ours':
      return trans.__('busy with a cell of CaveLab');
    case 'busy_asking':
      return trans.__('a cell of CaveLab waits for your input');
    case 'busy_theirs':
      return queued > 0
        ? trans.__('waiting for your cell')
        : trans.__('busy with your cell');
    case 'silent':
      return trans.__('not answering');
    case 'dead':
      return trans.__('dead');
    default:
      return never(activity);
  }
}

/** Another notebook is in front; this thread never acts on it. */
function InFront(props: {
  readonly path: string;
  readonly bound: string;
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  return (
    <div className="jp-CaveLab-inFront">
      <span>
        {trans.__(
          '%1 is in front. This thread acts on %2.',
          nameOf(props.path),
          nameOf(props.bound)
        )}
      </span>
      <TextButton
        kind="link"
        onClick={() => {
          panel.focus();
          void panel.showNotebook(props.path);
        }}
      >
        {trans.__('Switch to %1', nameOf(props.path))}
      </TextButton>
    </div>
  );
}

function NoKernel(props: {
  readonly binding: IBinding;
}): React.JSX.Element | null {
  const { binding } = props;
  const trans = useTrans();
  const panel = usePanel();
  if (binding.activity !== 'none') {
    return null;
  }
  return (
    <div className="jp-CaveLab-inFront">
      <span>{trans.__('No kernel runs for this notebook.')}</span>
      <TextButton
        kind="link"
        onClick={() => void panel.steps.take('start_kernel', null)}
      >
        {trans.__('Start the kernel')}
      </TextButton>
    </div>
  );
}
