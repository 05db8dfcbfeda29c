import React, { memo, useEffect, useRef, useState } from 'react';

import { type ISentMessage, readSent } from '../../panel/sentMessage';
import { sentence } from '../../panel/sentence';
import { textOf } from '../../panel/words';
import type { CallState, Part, ThreadState } from '../../protocol/generated';
import { callFate } from '../../state/callFate';
import { TextButton } from '../button';
import { useDrawing, useTrans } from '../context';

/** Exactly what was sent to the model, call by call, for the last turn first. */
export function Sent(props: {
  readonly state: ThreadState;
}): React.JSX.Element | null {
  const { state } = props;
  const trans = useTrans();
  const turns = state.turns.filter(turn => turn.calls.length > 0).reverse();
  if (turns.length === 0) {
    return null;
  }
  return (
    <details className="jp-CaveLab-sent" onToggle={showOpened}>
      <summary>{trans.__('Show exactly what was sent')}</summary>
      {turns.map(turn => (
        <SentTurn
          key={turn.turn_id}
          content={turn.content}
          calls={turn.calls}
          unsent={turn.calls.find(call => callFate(turn, call) === 'unsent')}
          threadId={state.thread_id}
        />
      ))}
    </details>
  );
}

/** What has opened below the edge of what scrolls comes into view. */
function showOpened(event: React.SyntheticEvent<HTMLDetailsElement>): void {
  if (event.currentTarget.open) {
    event.currentTarget.scrollIntoView({ block: 'nearest' });
  }
}

/** The calls of one turn, not drawn again by each word that it streams. */
const SentTurn = memo(function SentTurn(props: {
  readonly content: readonly Part[];
  readonly calls: readonly CallState[];
  readonly unsent: CallState | undefined;
  readonly threadId: string;
}): React.JSX.Element {
  const { content, calls, unsent, threadId } = props;
  const trans = useTrans();
  return (
    <section>
      <h3 className="jp-CaveLab-menuTitle">{textOf(content, trans)}</h3>
      {calls.map(call => (
        <SentCall
          key={call.call}
          call={call}
          unsent={call === unsent}
          threadId={threadId}
        />
      ))}
    </section>
  );
});

function SentCall(props: {
  readonly call: CallState;
  readonly unsent: boolean;
  readonly threadId: string;
}): React.JSX.Element {
  const { call, unsent, threadId } = props;
  const trans = useTrans();
  const { api } = useDrawing();
  const [messages, setMessages] = useState<readonly ISentMessage[]>([]);
  const show = () => {
    Promise.all(call.messages.map(blob => api.blob(threadId, blob))).then(
      texts => setMessages(texts.map(readSent)),
      (reason: unknown) =>
        setMessages([
          { role: trans.__('error'), text: sentence(reason), images: [] }
        ])
    );
  };
  const about = trans.__(
    'Call %1 to %2, about %3 tokens',
    call.call,
    call.model,
    call.estimated_tokens
  );
  const label = unsent ? trans.__('%1, gathered but not sent', about) : about;
  if (messages.length === 0) {
    return (
      <TextButton kind="link" onClick={show}>
        {label}
      </TextButton>
    );
  }
  return (
    <>
      <p>{label}</p>
      <Messages messages={messages} label={label} />
    </>
  );
}

/** What was sent; it takes the focus that went away with the button that asked for it. */
function Messages(props: {
  readonly messages: readonly ISentMessage[];
  readonly label: string;
}): React.JSX.Element {
  const trans = useTrans();
  const list = useRef<HTMLDListElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) {
      list.current?.focus();
    }
  }, []);
  return (
    <dl
      ref={list}
      className="jp-CaveLab-sentText"
      tabIndex={0}
      aria-label={props.label}
    >
      {props.messages.map(({ role, text, images }, at) => (
        <React.Fragment key={at}>
          <dt>{role}</dt>
          <dd>{text}</dd>
          {images.map((url, number) => (
            <dd key={number}>
              <img src={url} alt={trans.__('Figure %1', number + 1)} />
            </dd>
          ))}
        </React.Fragment>
      ))}
    </dl>
  );
}
