import { fencesOf, matchFences } from '../../render/fences';
import { BAR_CLASS, BLOCK_CLASS } from '../../render/purify';

/** A block of code in an answer, and the bar above it. */
export interface ICodeBlock {
  readonly bar: Element;
  /** As it is seen. */
  readonly text: string;
  /** What the answer's author wrote, if that is what is seen; else it can only be copied. */
  readonly source: { readonly language: string; readonly code: string } | null;
}

/** The blocks of code of an answer that is drawn to its end. */
export function codeBlocks(host: Element, markdown: string): ICodeBlock[] {
  const found = [...host.querySelectorAll(`.${BLOCK_CLASS}`)].flatMap(block => {
    const bar = block.querySelector(`.${BAR_CLASS}`);
    const text = block.querySelector('pre')?.textContent ?? '';
    return bar === null ? [] : [{ bar, text }];
  });
  const sources = matchFences(
    fencesOf(markdown),
    found.map(({ text }) => text)
  );
  return found.map((block, at) => {
    const source = sources.at(at) ?? null;
    return { ...block, source: source?.closed ? source : null };
  });
}
