import React, { memo } from 'react';

import type {
  Item,
  RefusedItem,
  RunItem,
  TurnState
} from '../../protocol/generated';
import { never } from '../../state/never';
import { useTrans } from '../context';
import { Answer } from './answer';
import { Compacted } from './compacted';
import { Look } from './look';
import { Message } from './message';
import { NoticeRow } from './notice';
import { Reasoning } from './reasoning';

interface IItemProps {
  readonly item: Exclude<Item, RunItem>;
  /** The turn, for notices that offer to do it again. */
  readonly turn: TurnState | null;
  readonly readOnly: boolean;
  /** What it is called among all rows of all threads. */
  readonly id: string;
  /** Whether more of it is to come. */
  readonly streaming: boolean;
}

/** One row of an answer that is not a run. */
export const ItemRow = memo(function ItemRow(
  props: IItemProps
): React.JSX.Element {
  const { item, streaming } = props;
  const trans = useTrans();
  switch (item.type) {
    case 'text':
      return <Answer text={item.text} streaming={streaming} />;
    case 'reasoning':
      return <Reasoning id={props.id} text={item.text} streaming={streaming} />;
    case 'steer':
      return <Message content={item.content} />;
    case 'refused':
      return <Refused item={item} />;
    case 'retry':
      return (
        <p className="jp-CaveLab-aside">
          {item.text}{' '}
          {trans.__(
            'Trying again (%1) after %2 s.',
            item.attempt,
            Math.round(item.wait_seconds)
          )}
        </p>
      );
    case 'look':
      return <Look item={item} id={props.id} />;
    case 'compacted':
      return <Compacted item={item} id={props.id} />;
    case 'notice':
      return (
        <NoticeRow notice={item} turn={props.turn} readOnly={props.readOnly} />
      );
    default:
      return never(item);
  }
});

/** An action of the model's that could not be used. */
function Refused(props: { readonly item: RefusedItem }): React.JSX.Element {
  const { code, text } = props.item;
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-aside" data-level="warning">
      {code === 'looks_in_a_row'
        ? trans.__(
            'The model looked again and again, so it was told to run a cell or to answer.'
          )
        : trans.__('Not run: %1', text)}
    </p>
  );
}
