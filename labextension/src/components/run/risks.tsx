import React, { useMemo } from 'react';

import type { Risk } from '../../protocol/generated';
import { findControls } from '../../render/controls';
import { useTrans } from '../context';

/** What a proposed cell may touch, in plain words. */
export function Risks(props: {
  readonly risks: readonly Risk[];
}): React.JSX.Element | null {
  const trans = useTrans();
  if (props.risks.length === 0) {
    return null;
  }
  return (
    <ul className="jp-CaveLab-risks" aria-label={trans.__('It may')}>
      {props.risks.map((risk, at) => (
        <li key={at} data-kind={risk.kind}>
          {risk.words}
          {risk.line !== null && (
            <span className="jp-CaveLab-quiet">
              {' '}
              {trans.__('line %1', risk.line)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Names characters in the code that can't be seen. */
export function Unseen(props: {
  readonly code: string;
}): React.JSX.Element | null {
  const trans = useTrans();
  const found = useMemo(() => findControls(props.code), [props.code]);
  if (found.length === 0) {
    return null;
  }
  const places = found
    .slice(0, 8)
    .map(({ name, line }) => trans.__('%1 in line %2', name, line));
  return (
    <p className="jp-CaveLab-warning">
      {trans._n(
        'The code holds a character that can not be seen: %2.',
        'The code holds %1 characters that can not be seen: %2.',
        found.length,
        [...places, ...(found.length > places.length ? ['…'] : [])].join(', ')
      )}
    </p>
  );
}
