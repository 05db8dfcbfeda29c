import React, { memo, useEffect, useRef } from 'react';

import { type Markdown, plain } from '../../render/markdown';
import { useDrawing } from '../context';

interface IAnswerProps {
  readonly text: string;
}

/** A stretch of the answer as safe markdown; what has been drawn stays while more streams in. */
export const Answer = memo(function Answer(
  props: IAnswerProps
): React.JSX.Element {
  const { markdown } = useDrawing();
  const host = useRef<HTMLDivElement>(null);
  const drawer = useRef<AnswerDrawer | null>(null);
  useEffect(() => {
    if (host.current) {
      drawer.current ??= new AnswerDrawer(host.current, markdown);
      drawer.current.draw(props.text);
    }
  }, [props.text, markdown]);
  useEffect(() => () => drawer.current?.stop(), []);
  return (
    <div
      ref={host}
      className="jp-CaveLab-answer jp-RenderedHTMLCommon"
      data-mime-type="text/markdown"
    />
  );
});

/**
 * Draws the newest text, one drawing at a time, and replaces only the blocks
 * that are others than before.
 */
export class AnswerDrawer {
  constructor(
    private readonly host: HTMLElement,
    private readonly markdown: Pick<Markdown, 'render' | 'typeset'>
  ) {}

  draw(text: string): void {
    this._wanted = text;
    if (!this._drawing) {
      this._drawing = true;
      void this._drawAll().finally(() => (this._drawing = false));
    }
  }

  /** Draw nothing more. */
  stop(): void {
    this._wanted = null;
  }

  private async _drawAll(): Promise<void> {
    while (this._wanted !== null) {
      const text = this._wanted;
      this._wanted = null;
      try {
        this._patch(await this.markdown.render(text));
      } catch (reason) {
        console.warn('An answer was drawn as plain text.', reason);
        this.host.replaceChildren(plain(text));
        this._blocks = [];
      }
    }
  }

  private _patch(fragment: DocumentFragment): void {
    const next = [...fragment.children].map(block => block.outerHTML);
    const differs = next.findIndex((html, at) => html !== this._blocks[at]);
    const kept = differs < 0 ? next.length : differs;
    for (const block of [...this.host.children].slice(kept)) {
      block.remove();
    }
    const fresh = [...fragment.children].slice(kept);
    this.host.append(...fresh);
    this._blocks = next;
    for (const block of fresh) {
      this.markdown.typeset(block);
    }
  }

  private _wanted: string | null = null;
  private _drawing = false;
  private _blocks: readonly string[] = [];
}
