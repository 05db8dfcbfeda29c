import React, { useEffect, useId, useLayoutEffect, useRef } from 'react';

import { type AskingRun, questionOf } from '../../panel/inputs';
import { escapeControls } from '../../render/controls';
import { usePanel, useTrans } from '../context';
import { usePanelValue, useStable } from '../hooks';
import { isOfInputMethod } from '../keys';
import { isInEmptyComposer, useDeafness } from './attention';

/** A prompt of more lines or characters than this scrolls in a box of its own. */
const LONG = { lines: 8, chars: 400 };

interface IQuestionProps {
  readonly run: AskingRun;
  readonly threadId: string;
  readonly readOnly: boolean;
}

/** What a running cell asks for, and a field for the answer where one can be given. */
export function Question(props: IQuestionProps): React.JSX.Element {
  const id = useId();
  const signedIn = usePanelValue(now => now.outlook.mayApprove);
  return (
    <div className="jp-CaveLab-question">
      <Prompt id={id} {...props} />
      {signedIn && !props.readOnly ? (
        <AnswerForm key={questionOf(props.run)} labelledBy={id} {...props} />
      ) : (
        <NotHere readOnly={props.readOnly} />
      )}
    </div>
  );
}

function Prompt(
  props: IQuestionProps & { readonly id: string }
): React.JSX.Element {
  const trans = useTrans();
  const { prompt, password } = props.run.stdin;
  const shown = escapeControls(prompt).trimEnd();
  if (shown.trim() === '') {
    return (
      <p id={props.id}>
        {password
          ? trans.__('The cell asks for a password.')
          : trans.__('The cell asks for a line of input.')}
      </p>
    );
  }
  const long =
    shown.length > LONG.chars || shown.split('\n').length > LONG.lines;
  return (
    <p
      id={props.id}
      className="jp-CaveLab-prompt"
      tabIndex={long ? 0 : undefined}
    >
      {shown}
    </p>
  );
}

function AnswerForm(
  props: IQuestionProps & { readonly labelledBy: string }
): React.JSX.Element {
  const { run, threadId } = props;
  const trans = useTrans();
  const { inputs } = usePanel();
  const field = useRef<HTMLInputElement>(null);
  const text = usePanelValue(now => now.inputs.text(run));
  const state = usePanelValue(now => now.inputs.of(run));
  const sent = state?.kind === 'sent';
  const deaf = useAttention(field, run);
  return (
    <>
      {state?.kind === 'refused' && (
        <p className="jp-CaveLab-warning" role="alert">
          {state.sentence}
        </p>
      )}
      <form
        data-deaf={deaf}
        onSubmit={event => {
          event.preventDefault();
          if (!deaf) {
            void inputs.send(threadId, run);
          }
        }}
        onKeyDown={event => {
          const meant = !event.repeat && !isOfInputMethod(event.nativeEvent);
          if (event.key === 'Enter' && !meant) {
            event.preventDefault();
          }
        }}
      >
        <input
          ref={field}
          className="jp-mod-styled"
          type={run.stdin.password ? 'password' : 'text'}
          value={text}
          // A disabled field would lose the focus, and with it the way to the next question.
          readOnly={sent}
          aria-disabled={sent || undefined}
          aria-labelledby={props.labelledBy}
          // Browsers would fill in what they keep for this address, whatever the field is for.
          autoComplete={run.stdin.password ? 'new-password' : 'off'}
          autoCapitalize="off"
          spellCheck={false}
          onChange={event => inputs.setText(run, event.target.value)}
        />
        <button
          type="submit"
          className="jp-CaveLab-button jp-mod-styled jp-mod-accept"
          aria-disabled={sent || undefined}
        >
          {trans.__('Send')}
        </button>
      </form>
    </>
  );
}

/**
 * Takes the focus for the field, from our own empty composer or when the person comes into the
 * panel by its command; says whether an answer is not taken yet, as it may be meant for where the
 * focus was. When the question goes it stays on the card, for the cell may ask again:
 * the composer would take what is typed for it, and send it to the model.
 */
function useAttention(
  field: React.RefObject<HTMLInputElement>,
  run: AskingRun
): boolean {
  const panel = usePanel();
  const [deaf, deafen] = useDeafness();
  const enter = useStable(() => {
    if (document.activeElement !== field.current) {
      deafen();
    }
    field.current?.focus();
  });
  useLayoutEffect(() => {
    const form = field.current?.form ?? null;
    const card = form?.closest('section') ?? null;
    if (isInEmptyComposer() || document.activeElement === card) {
      enter();
    }
    return () => {
      if (card !== null && form?.contains(document.activeElement)) {
        card.tabIndex = -1;
        card.focus({ preventScroll: true });
      }
    };
  }, [field, enter]);
  const forget = useStable(() => panel.inputs.forget(run));
  const { password } = run.stdin;
  // What was typed of a password is kept no longer than its field.
  useEffect(() => (password ? forget : undefined), [password, forget]);
  useEffect(() => {
    const onAsked = (_: unknown, asked: string) => {
      if (asked === run.run_id) {
        enter();
      }
    };
    panel.cardAsked.connect(onAsked);
    return () => void panel.cardAsked.disconnect(onAsked);
  }, [panel, run.run_id, enter]);
  return deaf;
}

/** Says where the answer can be given, in place of a field that would do nothing. */
function NotHere(props: { readonly readOnly: boolean }): React.JSX.Element {
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-warning">
      {props.readOnly
        ? trans.__('It can only be answered where this thread runs.')
        : trans.__(
            'Answer it in a browser that is signed in. This page came by a token alone, which code in the kernel could read too. Open JupyterLab by its login page to answer.'
          )}
    </p>
  );
}
