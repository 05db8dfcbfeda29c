import { caretDownIcon, caretRightIcon } from '@jupyterlab/ui-components';
import React from 'react';

import type { RunState } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { type RunLabel, runSeconds } from '../../state/summary';
import { useTrans } from '../context';
import { useNow } from '../hooks';
import { type Ahead, clock, durationWords, labelWords } from './looks';
import { ScratchTag } from './scratch';
import { StateIcon } from './stateicon';

interface IRunLineProps {
  readonly run: RunState;
  readonly label: RunLabel;
  readonly ahead: Ahead;
  readonly open: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

/** A run in one line: state, purpose, and how long it took. */
export function RunLine(props: IRunLineProps): React.JSX.Element {
  const { run, label, open } = props;
  const trans = useTrans();
  const Caret = open ? caretDownIcon : caretRightIcon;
  return (
    <button
      type="button"
      className="jp-CaveLab-cardHead"
      aria-expanded={open}
      aria-controls={open ? props.controls : undefined}
      onClick={props.onToggle}
    >
      <Caret.react tag="span" aria-hidden="true" width="12px" height="12px" />
      <StateIcon of={label} />
      <span className="jp-CaveLab-purpose">
        {escapeControls(run.purpose) || trans.__('New cell')}
      </span>
      {!open && label === 'rejected' && run.approval?.reason ? (
        <Rejected reason={run.approval.reason} />
      ) : (
        <span className="jp-CaveLab-stateWords">
          <ScratchTag run={run} />
          {labelWords(label, props.ahead, trans)}
          {label !== 'needs_input' && (
            <Duration run={run} running={label === 'running'} />
          )}
        </span>
      )}
    </button>
  );
}

/** The person's own reason, which a closed card would hide. */
function Rejected(props: { readonly reason: string }): React.JSX.Element {
  const words = useTrans().__('rejected: %1', props.reason);
  return (
    <span className="jp-CaveLab-stateWords jp-CaveLab-cut" title={words}>
      {words}
    </span>
  );
}

function Duration(props: {
  readonly run: RunState;
  readonly running: boolean;
}): React.JSX.Element | null {
  const now = useNow(props.running);
  const seconds = runSeconds(props.run, now);
  if (seconds === null) {
    return null;
  }
  const words = props.running ? clock(seconds) : durationWords(seconds);
  return <span className="jp-CaveLab-duration"> {words}</span>;
}
