import React, { useEffect, useId, useLayoutEffect, useRef } from 'react';

import { usePanel, useTrans } from '../context';
import { useStable } from '../hooks';
import { isOfInputMethod } from '../keys';
import { FIELD_CLASS, isAccelEnter } from '../run/attention';
import { Heard, Offer, optionId } from './offer';
import { type IOffer, useCompletion } from './usecompletion';

interface IFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Called by the chord that runs a cell. */
  readonly onRun: () => void;
  /** Called by the up arrow in an empty field, to bring the last message back. */
  readonly onRecall: () => void;
  readonly disabled: boolean;
  readonly placeholder: string;
}

/** Where the person types: Enter sends, Shift+Enter begins a line, `@` offers variables. */
export function Field(props: IFieldProps): React.JSX.Element {
  const { text, onText } = props;
  const trans = useTrans();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fit(field.current), [text]);
  useFocusAsked(field);
  const completion = useCompletion(field, text, onText);
  const { offer } = completion;
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (isOfInputMethod(event.nativeEvent) || completion.onKey(event)) {
      return;
    }
    if (event.key === 'Enter' && isPlain(event)) {
      event.preventDefault();
      completion.close();
      props.onSend();
    } else if (isAccelEnter(event)) {
      event.preventDefault();
      if (!event.repeat) {
        props.onRun();
      }
    } else if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onRecall();
    }
  };
  return (
    <div className="jp-CaveLab-fieldFrame">
      <textarea
        ref={field}
        className={FIELD_CLASS}
        rows={1}
        value={text}
        disabled={props.disabled}
        placeholder={props.placeholder}
        aria-label={trans.__('Message')}
        {...listed(id, offer)}
        onChange={event => {
          completion.onTyped(event.currentTarget);
          onText(event.currentTarget.value);
        }}
        onSelect={event => completion.onCaret(event.currentTarget)}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
      />
      {offer !== null && (
        <Offer id={id} offer={offer} onTake={completion.take} />
      )}
      <Heard offer={offer} />
    </div>
  );
}

/** What ties the field to the list that is open for it. */
function listed(id: string, offer: IOffer | null): React.AriaAttributes {
  const marked = offer !== null && offer.index >= 0;
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': marked ? id : undefined,
    'aria-activedescendant': marked ? optionId(id, offer.index) : undefined
  };
}

/** Takes the focus whenever the panel asks for it. */
function useFocusAsked(field: React.RefObject<HTMLTextAreaElement>): void {
  const panel = usePanel();
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
}

function isPlain(event: React.KeyboardEvent): boolean {
  return !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
}

/** As high as its text within its borders; the style sheet ends it at eight lines. */
function fit(field: HTMLTextAreaElement | null): void {
  if (field) {
    field.style.height = 'auto';
    const borders = field.offsetHeight - field.clientHeight;
    field.style.height = `${field.scrollHeight + borders}px`;
  }
}
