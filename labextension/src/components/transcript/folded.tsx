import React from 'react';

import { useOpened } from './opened';

/**
 * One quiet line of the transcript that opens; what is in it is made only then, and is found open
 * again where it was left so.
 */
export function Folded(props: {
  readonly id: string;
  readonly className?: string;
  /** Who it comes from, where that shows. */
  readonly by?: string;
  readonly summary: (open: boolean) => React.ReactNode;
  readonly children: () => React.ReactNode;
}): React.JSX.Element {
  const [open, setOpen] = useOpened(props.id);
  return (
    <details
      className={`jp-CaveLab-folded ${props.className ?? ''}`}
      data-by={props.by}
      open={open}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>{props.summary(open)}</summary>
      {open && props.children()}
    </details>
  );
}
