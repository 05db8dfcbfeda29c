import React, { useEffect, useRef, useState } from 'react';

import { usePanel, useTrans } from '../context';
import { useWayBack } from '../hooks';
import { isOfInputMethod } from '../keys';

/** The server takes no longer titles. */
const MAX_TITLE = 200;

/** The thread's title; a click or Enter makes it a field, Enter keeps it, Esc does not. */
export function Title(props: {
  readonly title: string;
  readonly editable: boolean;
}): React.JSX.Element {
  const { title, editable } = props;
  const trans = useTrans();
  const panel = usePanel();
  const [editing, setEditing] = useState(false);
  const [button, goBack] = useWayBack<HTMLButtonElement>();
  const rename = (text: string) => {
    setEditing(false);
    const next = text.trim();
    if (next !== '' && next !== title) {
      void panel.sender.attempt(() => panel.shown.set({ title: next }));
    }
  };
  if (editing) {
    return (
      <TitleField
        title={title}
        onDone={rename}
        onCancel={() => setEditing(false)}
        goBack={goBack}
      />
    );
  }
  return (
    <h2 className="jp-CaveLab-title">
      <button
        ref={button}
        type="button"
        className="jp-CaveLab-titleButton"
        disabled={!editable}
        title={editable ? trans.__('Rename this thread') : title}
        onClick={() => setEditing(true)}
      >
        {title}
      </button>
    </h2>
  );
}

function TitleField(props: {
  readonly title: string;
  readonly onDone: (title: string) => void;
  readonly onCancel: () => void;
  /** Called when a key ends it; a click elsewhere has taken the focus there. */
  readonly goBack: () => void;
}): React.JSX.Element {
  const trans = useTrans();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(props.title);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (isOfInputMethod(event.nativeEvent)) {
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      props.goBack();
      props.onDone(text);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      props.goBack();
      props.onCancel();
    }
  };
  return (
    <input
      ref={field}
      className="jp-CaveLab-titleField jp-mod-styled"
      value={text}
      maxLength={MAX_TITLE}
      aria-label={trans.__('Title of this thread')}
      onChange={event => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => props.onDone(text)}
    />
  );
}
