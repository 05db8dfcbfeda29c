import React from 'react';

import { TextButton } from './button';
import { usePanel, useTrans } from './context';

/** The ways to a notebook, where none is open. */
export function NotebookButtons(props: {
  readonly kind?: 'plain' | 'accept' | 'link';
}): React.JSX.Element {
  const trans = useTrans();
  const { notebooks, sender } = usePanel();
  return (
    <>
      <TextButton
        kind={props.kind}
        onClick={() => void sender.attempt(() => notebooks.create())}
      >
        {trans.__('Create a notebook')}
      </TextButton>
      <TextButton
        kind={props.kind === 'link' ? 'link' : 'plain'}
        onClick={() => void sender.attempt(() => notebooks.browse())}
      >
        {trans.__('Open one')}
      </TextButton>
    </>
  );
}
