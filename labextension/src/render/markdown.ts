import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

import { takeMath, typeset } from './math';
import { type IWords, purify } from './purify';

/** What JupyterLab's registry of renderers offers for markdown. */
export interface IMarkdownTools {
  readonly markdownParser: IRenderMime.IMarkdownParser | null;
  readonly sanitizer: IRenderMime.ISanitizer;
  readonly latexTypesetter: IRenderMime.ILatexTypesetter | null;
}

/**
 * A fence that JupyterLab would draw as a diagram while it parses, in the live
 * page and before any sanitizer; a diagram can hold remote pictures.
 */
const DIAGRAM = /(`{3,}|~{3,})[^\S\n]*mermaid/gi;

/**
 * Turns a model's markdown into nodes that load nothing by themselves.
 */
export class Markdown {
  constructor(
    private readonly tools: IMarkdownTools,
    private readonly words: IWords
  ) {}

  /**
   * Parse, sanitize and copy; the fragment can be put into the page as it is.
   */
  async render(source: string): Promise<DocumentFragment> {
    const { text, formulas } = takeMath(source);
    const { markdownParser, sanitizer } = this.tools;
    if (markdownParser === null) {
      return plain(source);
    }
    const html = await markdownParser.render(withoutDiagrams(text));
    const inert = new DOMParser().parseFromString(
      sanitizer.sanitize(html),
      'text/html'
    );
    return blocks(purify(inert.body, formulas, this.words, document));
  }

  /** Typeset the formulas of what `render` gave, once it is in the page. */
  typeset(node: Element): void {
    typeset(node, this.tools.latexTypesetter);
  }
}

/** Markdown whose diagrams are shown as they were written. */
export function withoutDiagrams(source: string): string {
  return source.replace(DIAGRAM, '$1text');
}

/** Make every child an element, so that drawing can go block by block. */
function blocks(fragment: DocumentFragment): DocumentFragment {
  for (const child of [...fragment.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) {
      const words = document.createElement('p');
      words.textContent = child.nodeValue;
      child.replaceWith(...(child.nodeValue?.trim() ? [words] : []));
    }
  }
  return fragment;
}

/** Text as it was written, for when it can't be drawn. */
export function plain(source: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const words = document.createElement('p');
  words.className = 'jp-CaveLab-plain';
  words.textContent = source;
  fragment.appendChild(words);
  return fragment;
}
