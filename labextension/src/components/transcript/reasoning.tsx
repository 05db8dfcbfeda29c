import React, { useLayoutEffect, useRef, useState } from 'react';

import { exactCount } from '../../state/summary';
import { TextButton } from '../button';
import { useTrans } from '../context';
import { Folded } from './folded';
import { lastLine, tailOf } from './tail';

/** So much of long reasoning is laid out by itself: some six pages, which no browser minds. */
const SHOWN_CHARS = 20_000;

/** So near to its end a box follows what is added: less than a line of text. */
const NEAR_PX = 16;

/**
 * What the model thought before it answered, folded; plain text, as it is no part of the answer.
 * Folded it is one line, whatever streams in, and nothing of it is laid out.
 */
export function Reasoning(props: {
  readonly id: string;
  readonly text: string;
  readonly streaming: boolean;
}): React.JSX.Element {
  const { text, streaming } = props;
  const trans = useTrans();
  const summary = (open: boolean) => (
    <>
      {streaming ? trans.__('Reasoning …') : trans.__('Reasoning')}
      {streaming && !open && (
        <span
          className="jp-CaveLab-lastLine jp-CaveLab-cutLine"
          aria-hidden="true"
        >
          {lastLine(text)}
        </span>
      )}
    </>
  );
  return (
    <Folded id={props.id} className="jp-CaveLab-reasoning" summary={summary}>
      {() => <Thoughts text={text} streaming={streaming} />}
    </Folded>
  );
}

/** The end of it, and all on a click. */
function Thoughts(props: {
  readonly text: string;
  readonly streaming: boolean;
}): React.JSX.Element {
  const { text, streaming } = props;
  const trans = useTrans();
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : tailOf(text, SHOWN_CHARS);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(streaming);
  useLayoutEffect(() => {
    const node = box.current;
    if (node && streaming && follows.current) {
      node.scrollTop = node.scrollHeight;
    }
  }, [shown, streaming]);
  const onScroll = (event: React.UIEvent<HTMLDivElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    follows.current = scrollHeight - scrollTop - clientHeight <= NEAR_PX;
  };
  const showWhole = () => {
    follows.current = false;
    setWhole(true);
    box.current?.focus();
  };
  return (
    <>
      {shown.length < text.length && !streaming && (
        <TextButton kind="link" onClick={showWhole}>
          {trans.__(
            'Show all of it: %1 more characters',
            exactCount(text.length - shown.length)
          )}
        </TextButton>
      )}
      <div
        ref={box}
        className="jp-CaveLab-thoughts"
        role="group"
        aria-label={trans.__('Reasoning')}
        tabIndex={0}
        onScroll={onScroll}
      >
        {shown}
      </div>
    </>
  );
}
