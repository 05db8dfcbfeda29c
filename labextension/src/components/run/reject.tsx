import React, { useEffect, useRef, useState } from 'react';

import { TextButton } from '../button';
import { useTrans } from '../context';
import { isAccelEnter } from './attention';

/** Asks for the reason, which the model gets; an empty one is a reason too. */
export function Reject(props: {
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
  readonly disabled: boolean;
}): React.JSX.Element {
  const trans = useTrans();
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      props.onCancel();
    } else if (isAccelEnter(event) && event.target === field.current) {
      event.preventDefault();
      event.stopPropagation();
      props.onReject(reason);
    }
  };
  return (
    <form
      className="jp-CaveLab-reject"
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault();
        props.onReject(reason);
      }}
    >
      <input
        ref={field}
        className="jp-mod-styled"
        value={reason}
        maxLength={4_000}
        onChange={event => setReason(event.target.value)}
        placeholder={trans.__('Why not? (optional)')}
        aria-label={trans.__('Reason for rejecting, optional')}
      />
      <button
        type="submit"
        className="jp-CaveLab-button jp-mod-styled jp-mod-warn"
        disabled={props.disabled}
      >
        {trans.__('Reject')}
      </button>
      <TextButton kind="plain" onClick={props.onCancel}>
        {trans.__('Cancel')}
      </TextButton>
    </form>
  );
}
