import React from 'react';

import type { ModelCheck } from '../../protocol/generated';
import { useTrans } from '../context';

/** What *Test* tried and what came back. */
export function CheckResult(props: {
  readonly check: ModelCheck;
}): React.JSX.Element {
  const { check } = props;
  const trans = useTrans();
  return (
    <div
      className="jp-CaveLab-notice"
      data-level={check.ok ? 'info' : 'warning'}
    >
      <p>
        {trans.__('Tried:')} {check.tried}
      </p>
      <p>
        {trans.__('Came back:')} {check.outcome}
      </p>
      {check.detail !== null && (
        <details>
          <summary>{trans.__("The provider's own words")}</summary>
          <p className="jp-CaveLab-detail">{check.detail}</p>
        </details>
      )}
    </div>
  );
}
