import React, { useEffect, useLayoutEffect, useRef } from 'react';

import { usePanel, useTrans } from '../context';
import { useStable } from '../hooks';
import { isOfInputMethod } from '../keys';
import { FIELD_CLASS } from '../run/attention';

interface IFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Called by the up arrow in an empty field, to bring the last message back. */
  readonly onRecall: () => void;
  readonly disabled: boolean;
  readonly placeholder: string;
}

/** Where the person types: Enter sends, Shift+Enter begins a line. */
export function Field(props: IFieldProps): React.JSX.Element {
  const { text, onText } = props;
  const trans = useTrans();
  const panel = usePanel();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fit(field.current), [text]);
  const focus = useStable(() => {
    if (panel.takeFocus()) {
      field.current?.focus();
    }
  });
  useEffect(() => {
    focus();
    panel.focusAsked.connect(focus);
    return () => void panel.focusAsked.disconnect(focus);
  }, [panel, focus]);
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (isOfInputMethod(event.nativeEvent)) {
      return;
    }
    if (event.key === 'Enter' && isPlain(event)) {
      event.preventDefault();
      props.onSend();
    } else if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onRecall();
    }
  };
  return (
    <textarea
      ref={field}
      className={FIELD_CLASS}
      rows={1}
      value={text}
      disabled={props.disabled}
      placeholder={props.placeholder}
      aria-label={trans.__('Message')}
      onChange={event => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function isPlain(event: React.KeyboardEvent): boolean {
  return !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
}

/** As high as its text; the style sheet ends it at eight lines. */
function fit(field: HTMLTextAreaElement | null): void {
  if (field) {
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }
}
