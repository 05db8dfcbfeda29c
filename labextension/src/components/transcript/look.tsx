import React from 'react';

import type { LookItem } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { useTrans } from '../context';

/** A look at variables or outputs: it ran nothing and left no cell. */
export function Look(props: { readonly item: LookItem }): React.JSX.Element {
  const trans = useTrans();
  const names = escapeControls(props.item.names.join(', '));
  return <p className="jp-CaveLab-aside">{trans.__('Looked at %1', names)}</p>;
}
