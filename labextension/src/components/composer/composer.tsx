import { closeIcon, stopIcon } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import React, { useEffect, useReducer, useRef, useState } from 'react';

import type { QueuedMessage } from '../../protocol/generated';
import { IconButton, TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Field } from './field';
import { Meter } from '../meter/meter';
import { ModeSelect } from './mode';
import { Queue } from './queue';

/** Where the person says what they want; what they typed outlives refusals and reloads. */
export function Composer(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const [text, setText] = useDraft();
  const unasked = useUnasked();
  const readOnly =
    usePanelValue(now => now.outlook.thread?.readOnly ?? null) !== null;
  const recall = useRecall(setText);
  const [run, notRun] = useRun(text);
  const send = () => {
    if (text.trim() !== '' && !readOnly) {
      void panel.sender.send(text);
    }
  };
  return (
    <div className="jp-CaveLab-composer" data-unasked={unasked !== null}>
      <Problem />
      <Queue />
      {unasked !== null && !readOnly && (
        <p className="jp-CaveLab-auto">{unasked}</p>
      )}
      <Field
        text={text}
        onText={setText}
        onSend={send}
        onRun={run}
        onRecall={recall}
        disabled={readOnly}
        placeholder={trans.__('What should be done with this notebook?')}
      />
      {notRun && <NotRun />}
      <div className="jp-CaveLab-composerBar">
        <ModeSelect disabled={readOnly} />
        <ModelButton />
        <Meter />
        <SendOrStop onSend={send} empty={text.trim() === ''} />
      </div>
    </div>
  );
}

/**
 * Lets the cell that waits run, from an empty field: what is written in it may be meant to be sent.
 * Also whether the chord was just pressed over such a draft.
 */
function useRun(text: string): readonly [() => void, boolean] {
  const panel = usePanel();
  const waits = usePanelValue(now => now.canRunProposed);
  const [over, setOver] = useState('');
  const run = () => {
    if (text === '') {
      panel.askRun();
    }
    setOver(text);
  };
  return [run, waits && text !== '' && over === text];
}

/** The chord stands on *Run* and did nothing here. */
function NotRun(): React.JSX.Element {
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-quiet" role="alert">
      {trans.__(
        'Nothing was run: here, %1 runs the proposed cell only while the field is empty.',
        CommandRegistry.formatKeystroke('Accel Enter')
      )}
    </p>
  );
}

/** Says that cells run without asking, and for how long; null while the person is asked. */
function useUnasked(): string | null {
  const trans = useTrans();
  const auto = usePanelValue(now => now.outlook.mode === 'auto');
  const turn = usePanelValue(now => now.runsUnasked);
  if (auto) {
    return trans.__('Cells run without asking.');
  }
  return turn ? trans.__('The rest of this turn runs without asking.') : null;
}

/** The draft of the thread shown. */
function useDraft(): readonly [string, (text: string) => void] {
  const { drafts } = usePanel();
  const key = usePanelValue(panel => panel.shown.key);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    drafts.changed.connect(redraw);
    return () => void drafts.changed.disconnect(redraw);
  }, [drafts]);
  const setText = (text: string) => {
    drafts.setText(key, text);
    redraw();
  };
  return [drafts.text(key), setText];
}

/** Brings the last message back: out of the queue if it waits there, else as it was sent. */
function useRecall(setText: (text: string) => void): () => void {
  const { outlook, sender } = usePanel();
  const taking = useRef(false);
  const take = async (message: QueuedMessage) => {
    if (!taking.current) {
      taking.current = true;
      await sender.edit(message);
      taking.current = false;
    }
  };
  return () => {
    const queued = outlook.lastQueued;
    if (queued === null) {
      setText(outlook.lastMessage ?? '');
    } else {
      void take(queued);
    }
  };
}

/** Send; or Stop, from the instant that there is something to stop. */
function SendOrStop(props: {
  readonly onSend: () => void;
  readonly empty: boolean;
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const busy = usePanelValue(now => now.outlook.busy);
  const stopping = usePanelValue(now => now.sender.stopping);
  // The button pressed goes away, and the focus with it, if it stays there.
  const send = () => {
    props.onSend();
    panel.focus();
  };
  const stop = () => {
    void panel.sender.stop();
    panel.focus();
  };
  if (!busy) {
    return (
      <div className="jp-CaveLab-send">
        <TextButton kind="accept" disabled={props.empty} onClick={send}>
          {trans.__('Send')}
        </TextButton>
      </div>
    );
  }
  return (
    <div className="jp-CaveLab-send">
      {!props.empty && (
        <TextButton
          title={trans.__('Send it when this turn has ended')}
          onClick={send}
        >
          {trans.__('Queue')}
        </TextButton>
      )}
      <button
        type="button"
        className="jp-CaveLab-button jp-CaveLab-stop jp-mod-styled jp-mod-warn"
        title={trans.__('Stop this turn (Esc); your own cells go on')}
        onClick={stop}
      >
        <stopIcon.react tag="span" aria-hidden="true" width="14px" />
        {stopping ? trans.__('Stopping …') : trans.__('Stop')}
      </button>
    </div>
  );
}

/** The model that the next message goes to; opens the model settings. */
function ModelButton(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const model = usePanelValue(now => now.outlook.modelName);
  const scripted = usePanelValue(now => now.outlook.scripted);
  const words = scripted
    ? trans.__('guided tour: scripted, not an AI')
    : (model ?? trans.__('choose a model'));
  return (
    <button
      type="button"
      className="jp-CaveLab-linkButton jp-CaveLab-model"
      title={trans.__('Model: %1. Open the model settings.', words)}
      onClick={() => panel.setView('settings')}
    >
      {words}
    </button>
  );
}

/** Why the last thing asked for was not done. */
function Problem(): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const problem = usePanelValue(now => now.sender.problem);
  if (problem === null) {
    return null;
  }
  return (
    <div className="jp-CaveLab-problem" role="alert">
      <p>{problem}</p>
      <IconButton
        icon={closeIcon}
        label={trans.__('Put this away')}
        onClick={() => {
          panel.sender.forget();
          panel.focus();
        }}
      />
    </div>
  );
}
