import React from 'react';

import type { RunLabel } from '../../state/summary';

/** One drawing for each state, different in shape and not in colour alone; 16 by 16. */
const SHAPES: Record<RunLabel, string> = {
  writing: 'M3 13h10M4 10.5 10.5 4l1.5 1.5L5.5 12 3.5 12.5z',
  waiting: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.2v.3',
  queued: 'M8 4.5V8l2.5 1.5M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  running: 'M8 2a6 6 0 1 1-6 6',
  needs_input: 'M2 4h12v8H2zM4.5 6.5 6 8l-1.5 1.5M8 9.5h3',
  done: 'm3 8.5 3.2 3.2L13 4.8',
  failed: 'm4 4 8 8M12 4l-8 8',
  interrupted: 'M4.5 4.5h7v7h-7z',
  rejected: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 12.2l8.4-8.4',
  not_run: 'M4 8h8',
  kernel_lost: 'M9 1.5 4 9h4l-1 5.5L12 7H8z',
  unknown:
    'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.2v.3M2 2h2M2 2v2M14 2h-2M14 2v2M2 14h2M2 14v-2M14 14h-2M14 14v-2',
  no_longer_open: 'M3.5 7.5h9V14h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5'
};

/** The picture of a run's state; the words stand beside it. */
export function StateIcon(props: { readonly of: RunLabel }): React.JSX.Element {
  return (
    <svg
      className="jp-CaveLab-stateIcon"
      data-state={props.of}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
    >
      <path d={SHAPES[props.of]} />
    </svg>
  );
}
