import React from 'react';

import type { RunState } from '../../protocol/generated';
import { useTrans } from '../context';

/** Says of a scratch run that it leaves no cell, before it runs too; nothing of other runs. */
export function ScratchWords(props: {
  readonly run: RunState;
}): React.JSX.Element | null {
  const trans = useTrans();
  return props.run.scratch ? (
    <p className="jp-CaveLab-quiet">
      {trans.__('A scratch run: it leaves no cell in the notebook.')}
    </p>
  ) : null;
}

/** The word for it in a run's line. */
export function ScratchTag(props: {
  readonly run: RunState;
}): React.JSX.Element | null {
  const trans = useTrans();
  return props.run.scratch ? (
    <span className="jp-CaveLab-scratch">{trans.__('scratch')}</span>
  ) : null;
}
