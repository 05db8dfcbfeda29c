import React, { memo, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import { useDrawing } from '../context';
import { useStable } from '../hooks';
import { type ICodeBlock, codeBlocks } from './codeblocks';
import { CodeBar } from './codebar';
import { AnswerDrawer } from './drawer';

interface IAnswerProps {
  readonly text: string;
  /** Whether more of it is to come; only then is nothing offered for its code. */
  readonly streaming: boolean;
}

const NONE: readonly ICodeBlock[] = [];

/** A stretch of the answer as safe markdown; what has been drawn stays while more streams in. */
export const Answer = memo(function Answer(
  props: IAnswerProps
): React.JSX.Element {
  const { text, streaming } = props;
  const { markdown } = useDrawing();
  const host = useRef<HTMLDivElement>(null);
  const drawer = useRef<AnswerDrawer | null>(null);
  const [blocks, setBlocks] = useState(NONE);
  const offer = useStable(() => {
    const done = !streaming && drawer.current?.drawn === text && host.current;
    const found = done ? codeBlocks(host.current, text) : NONE;
    setBlocks(found.length > 0 ? found : NONE);
  });
  useEffect(() => {
    if (host.current) {
      drawer.current ??= new AnswerDrawer(host.current, markdown, offer);
      drawer.current.draw(text);
    }
  }, [text, markdown, offer]);
  useEffect(() => () => drawer.current?.stop(), []);
  useEffect(offer, [streaming, text, offer]);
  return (
    <>
      <div
        ref={host}
        className="jp-CaveLab-answer jp-RenderedHTMLCommon"
        data-mime-type="text/markdown"
      />
      {blocks.map((block, at) =>
        createPortal(<CodeBar block={block} />, block.bar, String(at))
      )}
    </>
  );
});
