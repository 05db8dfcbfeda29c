import type { TranslationBundle } from '@jupyterlab/translation';
import { Clipboard } from '@jupyterlab/apputils';
import { copyIcon, type LabIcon, runIcon } from '@jupyterlab/ui-components';
import React, { useEffect, useMemo, useState } from 'react';

import { type Hindrance, hindrance, isForKernel } from '../../panel/letRun';
import { findControls } from '../../render/controls';
import { never } from '../../state/never';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import type { ICodeBlock } from './codeblocks';

/** So long is it said that something was copied. */
const COPIED_MS = 2_000;

/** What can be done with a block of code in an answer. */
export function CodeBar(props: {
  readonly block: ICodeBlock;
}): React.JSX.Element {
  const { source, text } = props.block;
  const code = source?.code ?? text.replace(/\n$/, '');
  const language = source?.language ?? '';
  const runs = usePanelValue(panel => isForKernel(panel, language));
  return (
    <>
      {runs && code.trim() !== '' && <Run code={code} />}
      <Copy code={code} />
    </>
  );
}

function Run(props: { readonly code: string }): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const { code } = props;
  const unseen = useMemo(() => findControls(code).length > 0, [code]);
  const reason = usePanelValue(now => hindrance(now, unseen));
  return (
    <BarButton
      icon={runIcon}
      words={trans.__('Run')}
      label={trans.__('Run this code')}
      title={
        reason === null
          ? trans.__('Run it in the kernel, as a cell of the notebook')
          : hindranceWords(reason, trans)
      }
      disabled={reason !== null}
      once
      onClick={() => void panel.sender.run(code)}
    />
  );
}

function Copy(props: { readonly code: string }): React.JSX.Element {
  const trans = useTrans();
  const talks = usePanelValue(now => now.outlook.mode === 'chat');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (copied) {
      const timer = window.setTimeout(() => setCopied(false), COPIED_MS);
      return () => window.clearTimeout(timer);
    }
    return undefined;
  }, [copied]);
  return (
    <BarButton
      icon={copyIcon}
      words={copied ? trans.__('Copied') : trans.__('Copy')}
      label={copied ? trans.__('Copied') : trans.__('Copy this code')}
      title={
        talks
          ? trans.__('Copy it; this thread only talks, so it runs no code')
          : trans.__('Copy it to the clipboard')
      }
      onClick={() => {
        Clipboard.copyToSystem(props.code);
        setCopied(true);
      }}
    />
  );
}

/**
 * One that can't be pressed keeps its place in the order of keys, so that its reason is found.
 * With `once`, neither a double click nor a key that is held down presses it again, however soon
 * what it did is over.
 */
function BarButton(props: {
  readonly icon: LabIcon;
  readonly words: string;
  readonly label: string;
  readonly title: string;
  readonly disabled?: boolean;
  readonly once?: boolean;
  readonly onClick: () => void;
}): React.JSX.Element {
  const { icon: Icon, disabled = false, once = false } = props;
  const onClick = (event: React.MouseEvent) => {
    if (!disabled && !(once && event.detail > 1)) {
      props.onClick();
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (once && event.repeat && event.key === 'Enter') {
      event.preventDefault();
    }
  };
  return (
    <button
      type="button"
      className="jp-CaveLab-barButton"
      aria-label={props.label}
      title={props.title}
      aria-disabled={disabled || undefined}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <Icon.react tag="span" aria-hidden="true" width="16px" height="16px" />
      {props.words}
    </button>
  );
}

function hindranceWords(reason: Hindrance, trans: TranslationBundle): string {
  switch (reason) {
    case 'turn_runs':
      return trans.__('Not now: a turn is running');
    case 'read_only':
      return trans.__('This thread can only be read here');
    case 'not_connected':
      return trans.__('Not now: there is no connection to the server');
    case 'may_not_approve':
      return trans.__('You may not let cells run on this server');
    case 'unseen_characters':
      return trans.__(
        'The code holds characters that can not be seen, so it does not run from here'
      );
    default:
      return never(reason);
  }
}
