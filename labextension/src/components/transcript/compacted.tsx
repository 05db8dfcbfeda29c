import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import type { CompactedItem } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { never } from '../../state/never';
import { exactCount } from '../../state/summary';
import { useTrans } from '../context';
import { Folded } from './folded';

/** Says that the model is told less of the talk from here on; a summary can be read. */
export function Compacted(props: {
  readonly item: CompactedItem;
  /** What it is called among all rows of all threads. */
  readonly id: string;
}): React.JSX.Element {
  const { item, id } = props;
  const { summary } = item;
  const trans = useTrans();
  const words = compactedWords(item, trans);
  if (summary === null) {
    return <p className="jp-CaveLab-aside">{words}</p>;
  }
  return (
    <Folded id={id} summary={() => <span>{words}</span>}>
      {() => (
        <div
          className="jp-CaveLab-thoughts"
          role="group"
          aria-label={trans.__('Summary for the model')}
          tabIndex={0}
        >
          {escapeControls(summary)}
        </div>
      )}
    </Folded>
  );
}

/** What was shortened, why, and how much it was and is. */
export function compactedWords(
  item: CompactedItem,
  trans: TranslationBundle
): string {
  return [
    tierWords(item.tier, trans),
    reasonWords(item.reason, trans),
    trans.__(
      'About %1 tokens became %2.',
      exactCount(item.before_tokens),
      exactCount(item.after_tokens)
    )
  ].join(' ');
}

function tierWords(
  tier: CompactedItem['tier'],
  trans: TranslationBundle
): string {
  switch (tier) {
    case 'stubs':
      return trans.__('The model is told older outputs in one line each.');
    case 'summary':
      return trans.__('The talk so far was summarised for the model.');
    case 'trimmed':
      return trans.__('The model is no longer told older parts of the talk.');
    default:
      return never(tier);
  }
}

function reasonWords(
  reason: CompactedItem['reason'],
  trans: TranslationBundle
): string {
  switch (reason) {
    case 'window':
      return trans.__('The model’s window was nearly full.');
    case 'overflow':
      return trans.__('The provider said that it was too long.');
    default:
      return never(reason);
  }
}
