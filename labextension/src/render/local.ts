import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

import { withoutDiagrams } from './markdown';
import { isHarmless } from './math';
import type { IWords } from './purify';

/** Elements that fetch, or change what others fetch, whatever is in them. */
const FETCHING =
  'script, style, link, meta, base, template, noscript, iframe, frame, object, embed, applet, portal';

/** Attributes whose address is fetched as soon as the element is drawn. */
const ADDRESSES = new Set(
  'src poster background data href xlink:href lowsrc dynsrc'.split(' ')
);

/** Attributes that name several addresses, or one that a click tells. */
const LISTS = new Set(['srcset', 'imagesrcset', 'ping', 'attributionsrc']);

const EMBEDDED = /^data:(?:image|audio|video)\//i;
const EMBEDDED_IN_CSS = /url\(\s*(["']?)data:image\/[^"')]*\1\s*\)/gi;

/** What fetches in a style; a backslash could write any of it in another way. */
const FETCHES_IN_CSS = /url\s*\(|image-set|\bimage\s*\(|\bsrc\s*\(|@|\\/i;

/**
 * JupyterLab's renderers for outputs in the panel: what they draw fetches nothing. The same
 * output in the notebook is JupyterLab's own.
 */
export function localOutputs(
  rendermime: IRenderMimeRegistry,
  words: IWords
): IRenderMimeRegistry {
  const { markdownParser, latexTypesetter } = rendermime;
  return rendermime.clone({
    sanitizer: new LocalSanitizer(rendermime.sanitizer, words),
    ...(markdownParser && {
      markdownParser: {
        render: (source: string) =>
          markdownParser.render(withoutDiagrams(source))
      }
    }),
    ...(latexTypesetter && {
      latexTypesetter: {
        typeset: (node: HTMLElement) =>
          isHarmless(node.textContent ?? '')
            ? latexTypesetter.typeset(node)
            : undefined
      }
    })
  });
}

/** A sanitizer after which HTML fetches nothing: pictures that are not in it become words. */
export class LocalSanitizer implements IRenderMime.ISanitizer {
  constructor(
    private readonly inner: IRenderMime.ISanitizer,
    private readonly words: IWords
  ) {}

  readonly allowCommandLinker = false;

  get allowNamedProperties(): boolean {
    return this.inner.allowNamedProperties ?? false;
  }

  getAutolink(): boolean {
    return this.inner.getAutolink?.() ?? false;
  }

  sanitize(dirty: string, options?: IRenderMime.ISanitizerOptions): string {
    const clean = this.inner.sanitize(dirty, options);
    // A document without a window fetches nothing while it is looked through.
    const { body } = new DOMParser().parseFromString(clean, 'text/html');
    body.querySelectorAll(FETCHING).forEach(node => node.remove());
    for (const node of body.querySelectorAll('*')) {
      this._keepHere(node);
    }
    return body.innerHTML;
  }

  private _keepHere(node: Element): void {
    for (const { name, value } of [...node.attributes]) {
      if (fetches(node, name.toLowerCase(), value)) {
        node.removeAttribute(name);
      }
    }
    if (node.localName === 'img' && !node.hasAttribute('src')) {
      const words = node.ownerDocument.createElement('span');
      words.className = 'jp-CaveLab-standIn';
      words.textContent = this.words.picture(node.getAttribute('alt') ?? '');
      node.replaceWith(words);
    }
  }
}

/** Whether an attribute makes the page fetch something, or lets a click run a command. */
function fetches(node: Element, name: string, value: string): boolean {
  if (LISTS.has(name) || name.startsWith('data-commandlinker')) {
    return true;
  }
  if (ADDRESSES.has(name)) {
    const isLink = node.localName === 'a' || node.localName === 'area';
    const inPage = name.endsWith('href') && value.startsWith('#');
    return !(name.endsWith('href') && isLink) && !inPage && !isEmbedded(value);
  }
  const drawn = name === 'style' || node.namespaceURI?.endsWith('/svg');
  return drawn === true && fetchesInCss(value);
}

function isEmbedded(address: string): boolean {
  return EMBEDDED.test(address.trim());
}

function fetchesInCss(css: string): boolean {
  return FETCHES_IN_CSS.test(css.replace(EMBEDDED_IN_CSS, ''));
}
