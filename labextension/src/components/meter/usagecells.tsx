import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import type { Usage } from '../../protocol/generated';
import { never } from '../../state/never';
import { exactCount, type Money } from '../../state/summary';
import { useTrans } from '../context';
import { durationWords } from '../run/looks';
import type { Column } from './columns';
import { ABOUT, exactMoneyWords } from './words';

interface IUsageCellsProps {
  readonly columns: readonly Column[];
  readonly usage: Usage;
  readonly money: Money | null;
  /** Whether anything can have run. */
  readonly runs?: boolean;
}

/** The numbers of a turn, of a call or of all. */
export function UsageCells(props: IUsageCellsProps): React.JSX.Element {
  const trans = useTrans();
  return (
    <tr>
      {props.columns.map(column => (
        <td key={column}>{cellWords(column, props, trans)}</td>
      ))}
    </tr>
  );
}

function cellWords(
  column: Column,
  props: IUsageCellsProps,
  trans: TranslationBundle
): string {
  const { usage, money, runs = true } = props;
  const about = usage.estimated ? ABOUT : '';
  switch (column) {
    case 'prompt':
    case 'completion':
      return `${about}${exactCount(usage[column])}`;
    case 'cached':
      return exactCount(usage.cached);
    case 'cost':
      return costWords(money, about, trans);
    case 'seconds':
      return durationWords(usage.seconds);
    case 'runs':
      return runs ? exactCount(usage.runs) : '';
    default:
      return never(column);
  }
}

/** What tokens cost that were counted here is no more exact than their number. */
function costWords(
  money: Money | null,
  about: string,
  trans: TranslationBundle
): string {
  if (money === null) {
    return '–';
  }
  const words = exactMoneyWords(money, trans);
  return money.cost === null ? words : about + words;
}
