import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import type { ValueBrief } from '../../protocol/generated';
import { never } from '../../state/never';
import type { Sign, VariableMark, VariableSummary } from '../../state/summary';
import { useTrans } from '../context';

/** Names shown on a collapsed card; the rest are counted. */
const NAMES_IN_LINE = 4;

/** `+monthly ~df`, as short as it gets, and that there may be more. */
export function ChangeLine(props: VariableSummary): React.JSX.Element | null {
  const trans = useTrans();
  const { marks, complete } = props;
  if (marks.length === 0) {
    return null;
  }
  const more = marks.length - NAMES_IN_LINE;
  return (
    <span
      className="jp-CaveLab-marks"
      title={marks.map(mark => markWords(mark, trans)).join('\n')}
    >
      {marks.slice(0, NAMES_IN_LINE).map(mark => (
        <span key={mark.name} className="jp-CaveLab-mark" data-sign={mark.sign}>
          {mark.sign === '-' ? '−' : mark.sign}
          {mark.name}
          {mark.sure ? '' : '?'}
        </span>
      ))}
      {more > 0 && <span>{trans.__('%1 more', more)}</span>}
      {!complete && <span>{trans.__('perhaps others')}</span>}
    </span>
  );
}

/** What became of each variable, in words. */
export function ChangeList(props: VariableSummary): React.JSX.Element | null {
  const trans = useTrans();
  if (props.marks.length === 0) {
    return props.complete ? null : (
      <p className="jp-CaveLab-quiet">
        {trans.__('Which variables it changed is not known.')}
      </p>
    );
  }
  return (
    <>
      <ul
        className="jp-CaveLab-changes"
        aria-label={trans.__('Changes of variables')}
      >
        {props.marks.map(mark => (
          <li key={mark.name}>{markWords(mark, trans)}</li>
        ))}
      </ul>
      {!props.complete && (
        <p className="jp-CaveLab-quiet">
          {trans.__('Other variables may have changed too.')}
        </p>
      )}
    </>
  );
}

function markWords(mark: VariableMark, trans: TranslationBundle): string {
  const after = mark.after ? briefWords(mark.after) : '';
  const before = mark.before ? briefWords(mark.before) : '';
  const sentence = signWords(mark.sign, mark.sure, mark.name, trans);
  if (before && before === after) {
    const how = howWords(mark, trans);
    return `${sentence}: ${how ? `${before}, ${how}` : before}`;
  }
  const way = before && after ? `${before} → ${after}` : after || before;
  return way ? `${sentence}: ${way}` : sentence;
}

/** What changed in a value that is described by the same words as before; '' if it is not known. */
function howWords(mark: VariableMark, trans: TranslationBundle): string {
  if (!mark.sure) {
    return '';
  }
  return mark.rebound ? trans.__('new value') : trans.__('contents changed');
}

function signWords(
  sign: Sign,
  sure: boolean,
  name: string,
  trans: TranslationBundle
): string {
  switch (sign) {
    case '+':
      return trans.__('Added %1', name);
    case '-':
      return trans.__('Removed %1', name);
    case '~':
      return sure
        ? trans.__('Changed %1', name)
        : trans.__('May have changed %1', name);
    default:
      return never(sign);
  }
}

/** A value's type, and its shape or length: `DataFrame 3 × 4`, `list 12`. */
export function briefWords(value: ValueBrief): string {
  const size = value.shape?.join(' × ') ?? value.length;
  return size === null || size === '' ? value.type : `${value.type} ${size}`;
}
