import React, { useEffect, useRef } from 'react';

import { TextButton } from '../button';
import { useTrans } from '../context';
import { useStable } from '../hooks';
import { isOfInputMethod } from '../keys';
import { isAccelEnter } from './attention';

/** Asks for the reason, which the model gets; an empty one is a reason too. */
export function Reject(props: {
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  /** Called with the field once it is there. */
  readonly onShown: (field: HTMLInputElement) => void;
  readonly onReject: () => void;
  readonly onCancel: () => void;
  readonly busy: boolean;
}): React.JSX.Element {
  const trans = useTrans();
  const { reason, onReject } = props;
  const field = useRef<HTMLInputElement>(null);
  const onShown = useStable(props.onShown);
  useEffect(() => {
    if (field.current) {
      onShown(field.current);
    }
  }, [onShown]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (isOfInputMethod(event.nativeEvent)) {
      return;
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      props.onCancel();
    } else if (isAccelEnter(event) && event.target === field.current) {
      event.preventDefault();
      event.stopPropagation();
      onReject();
    }
  };
  return (
    <form
      className="jp-CaveLab-reject"
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault();
        onReject();
      }}
    >
      <input
        ref={field}
        className="jp-mod-styled"
        value={reason}
        maxLength={4_000}
        onChange={event => props.onReason(event.target.value)}
        placeholder={trans.__('Why not? (optional)')}
        aria-label={trans.__('Reason for rejecting, optional')}
      />
      <button
        type="submit"
        className="jp-CaveLab-button jp-mod-styled jp-mod-warn"
        aria-disabled={props.busy || undefined}
      >
        {trans.__('Reject')}
      </button>
      <TextButton kind="plain" onClick={props.onCancel}>
        {trans.__('Cancel')}
      </TextButton>
    </form>
  );
}
