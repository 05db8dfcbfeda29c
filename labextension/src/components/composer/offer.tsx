import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useLayoutEffect, useRef } from 'react';

import { isPartOf } from '../../panel/kernelVariables';
import { briefly } from '../../panel/variableWords';
import type { Variable } from '../../protocol/generated';
import { exactCount } from '../../state/summary';
import { useTrans } from '../context';
import type { IOffer } from './usecompletion';

/** So many are drawn; of more, the name is typed on. */
const DRAWN = 100;

/** What the option at a place in a list is called in the page. */
export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

/** The variables that the name being typed may mean, and what is to be said of them. */
export function Offer(props: {
  readonly id: string;
  readonly offer: IOffer;
  readonly onTake: (name: string) => void;
}): React.JSX.Element {
  const trans = useTrans();
  const { variables, index, seen } = props.offer;
  const more = variables.length - DRAWN;
  const note = noteWords(props.offer, trans);
  return (
    // A press on it must not take the focus out of the field.
    <div
      className="jp-CaveLab-offer"
      data-waiting={seen === null}
      onMouseDown={event => event.preventDefault()}
    >
      {variables.length > 0 && (
        <List {...props} shown={shownOf(variables, index)} />
      )}
      {more > 0 && (
        <p className="jp-CaveLab-offerNote">{trans.__('%1 more', more)}</p>
      )}
      {note !== null && <p className="jp-CaveLab-offerNote">{note}</p>}
    </div>
  );
}

/** An offer for those who hear it. The region that says it has to be there before its words. */
export function Heard(props: {
  readonly offer: IOffer | null;
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <span className="jp-CaveLab-hidden" aria-live="polite">
      {props.offer !== null && heardWords(props.offer, trans)}
    </span>
  );
}

/** The first ones; also the one that is marked, however far down it stands. */
function shownOf(
  variables: readonly Variable[],
  index: number
): readonly Variable[] {
  return variables.slice(0, Math.max(DRAWN, index + 1));
}

function List(props: {
  readonly id: string;
  readonly offer: IOffer;
  readonly shown: readonly Variable[];
  readonly onTake: (name: string) => void;
}): React.JSX.Element {
  const { id, shown, onTake } = props;
  const { index } = props.offer;
  const trans = useTrans();
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => bringIntoView(list.current, index), [index, shown]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      className="jp-CaveLab-options"
      aria-label={trans.__('Variables')}
      // It scrolls, so it has to be within reach of the keyboard by itself too.
      tabIndex={0}
    >
      {shown.map((variable, at) => (
        <li
          key={variable.name}
          id={optionId(id, at)}
          role="option"
          className="jp-CaveLab-option"
          aria-selected={at === index}
          onClick={() => onTake(variable.name)}
        >
          <span className="jp-CaveLab-optionName">{variable.name}</span>
          <span className="jp-CaveLab-optionType">{briefly(variable)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Scroll the list and nothing around it. */
function bringIntoView(list: HTMLElement | null, index: number): void {
  const option = list?.children.item(index);
  if (!list || !(option instanceof HTMLElement)) {
    return;
  }
  const top = option.offsetTop - list.offsetTop;
  const bottom = top + option.offsetHeight;
  if (top < list.scrollTop) {
    list.scrollTop = top;
  } else if (bottom > list.scrollTop + list.clientHeight) {
    list.scrollTop = bottom - list.clientHeight;
  }
}

function heardWords(offer: IOffer, trans: TranslationBundle): string {
  const { length } = offer.variables;
  const count = trans._n('%1 variable', '%1 variables', length);
  const note = noteWords(offer, trans);
  return [length > 0 ? count : null, note].filter(Boolean).join('. ');
}

/** Why nothing is offered, or not all that there is; or null. */
function noteWords(offer: IOffer, trans: TranslationBundle): string | null {
  const { variables, seen } = offer;
  if (seen === null) {
    return trans.__('Looking …');
  }
  if (isPartOf(seen)) {
    return trans.__(
      'Only the first %1 of %2 variables are listed here. Another name can be typed.',
      exactCount(seen.variables.length),
      exactCount(seen.total)
    );
  }
  return variables.length > 0
    ? null
    : (seen.unavailable ?? trans.__('The kernel holds no variables.'));
}
