import React from 'react';

import type { Part } from '../../protocol/generated';
import { textOf } from '../../panel/words';
import { useTrans } from '../context';

/** What the person said. */
export function Message(props: {
  readonly content: readonly Part[];
  readonly at?: string;
  readonly note?: string;
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <div className="jp-CaveLab-message" title={timeWords(props.at)}>
      <h3 className="jp-CaveLab-hidden">{trans.__('You')}</h3>
      <p>{textOf(props.content, trans)}</p>
      {props.note !== undefined && (
        <span className="jp-CaveLab-quiet">{props.note}</span>
      )}
    </div>
  );
}

function timeWords(at: string | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toLocaleString();
}
