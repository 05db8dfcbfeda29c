import React, { useEffect, useRef, useState } from 'react';

import { usePanel, useTrans } from '../context';

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
      />
    );
  }
  return (
    <h2 className="jp-CaveLab-title">
      <button
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
}): React.JSX.Element {
  const trans = useTrans();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(props.title);
  useEffect(() => field.current?.select(), []);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      props.onDone(text);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
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
