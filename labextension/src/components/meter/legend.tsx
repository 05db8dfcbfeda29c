import React from 'react';

import type { ThreadState } from '../../protocol/generated';
import { callsOf, moneyOf, priceSources } from '../../state/summary';
import { useTrans } from '../context';
import { ABOUT } from './words';

/** Where the numbers of the table come from, in sentences. */
export function Legend(props: {
  readonly state: ThreadState;
  readonly free: string | null;
}): React.JSX.Element | null {
  const { state, free } = props;
  const trans = useTrans();
  const calls = callsOf(state);
  const money = moneyOf(state.usage, calls, free);
  const sources = priceSources(calls);
  const unpriced = money?.unpriced ?? 0;
  const words = [
    money !== null && sources.length > 0
      ? trans.__('Prices come from %1.', sources.join(trans.__(' and ')))
      : null,
    unpriced > 0
      ? trans._n(
          'The price of %1 call is not known.',
          'The price of %1 calls is not known.',
          unpriced
        )
      : null,
    state.usage.estimated
      ? trans.__('%1 was counted here: the provider did not say.', ABOUT)
      : null
  ].filter(sentence => sentence !== null);
  return words.length === 0 ? null : (
    <p className="jp-CaveLab-quiet">{words.join(' ')}</p>
  );
}
