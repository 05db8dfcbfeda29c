import React from 'react';

import type { Part } from '../../protocol/generated';
import { wordsOf } from '../../panel/words';
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
      <p>
        {props.content.map((part, at) => (
          <Piece key={at} part={part} />
        ))}
      </p>
      {props.note !== undefined && (
        <span className="jp-CaveLab-quiet">{props.note}</span>
      )}
    </div>
  );
}

/** A part of a message; what is named with `@` is set off from the words around it. */
function Piece(props: { readonly part: Part }): React.JSX.Element {
  const { part } = props;
  const words = wordsOf(part, useTrans());
  return part.type === 'mention' ? (
    <span className="jp-CaveLab-mention">{words}</span>
  ) : (
    <>{words}</>
  );
}

function timeWords(at: string | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toLocaleString();
}
