import React from 'react';

import type { Usage } from '../../protocol/generated';
import { exactCount, type Money } from '../../state/summary';
import { useTrans } from '../context';
import { durationWords } from '../run/looks';
import { ABOUT, exactMoneyWords } from './words';

/** The numbers of a row; `runs` is left out where nothing can have run. */
export function UsageCells(props: {
  readonly usage: Usage;
  readonly money: Money | null;
  readonly runs?: boolean;
}): React.JSX.Element {
  const { usage, money, runs = true } = props;
  const trans = useTrans();
  const count = (tokens: number) =>
    `${usage.estimated ? ABOUT : ''}${exactCount(tokens)}`;
  return (
    <>
      <td>{count(usage.prompt)}</td>
      <td>{count(usage.completion)}</td>
      <td>{exactCount(usage.cached)}</td>
      <td>{money === null ? '–' : exactMoneyWords(money, trans)}</td>
      <td>{durationWords(usage.seconds)}</td>
      <td>{runs ? exactCount(usage.runs) : ''}</td>
    </>
  );
}
