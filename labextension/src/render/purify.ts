import { formulaNode, type IFormula, restoreMath, splitMath } from './math';

/** Elements that are kept, without their attributes. */
const KEPT = new Set(
  (
    'p br hr blockquote pre code em strong b i u s del ins sub sup small kbd samp var mark abbr q cite ' +
    'ul ol li dl dt dd table thead tbody tfoot tr th td caption details summary div span'
  ).split(' ')
);

/** Elements that go with all that is in them. */
const DROPPED = new Set(
  (
    'script style template noscript iframe frame frameset object embed applet param svg math canvas ' +
    'link meta base title head textarea select option datalist source track map area dialog portal fencedframe'
  ).split(' ')
);

/** What draws something fetched from an address. */
const MEDIA = new Set(['img', 'image', 'video', 'audio', 'input']);

const PICTURE = /^data:image\/(?:png|gif|jpeg|webp|avif);base64,[\w+/=\s]*$/i;

/** What the highlighter calls the colours of code. */
const HIGHLIGHT = /^ͼ\w+$/;

/** Blocks of code hold text and its colours alone: nothing in them can be folded or laid out away. */
const KEPT_IN_CODE = new Set(['code', 'span']);

/** A block of code, and the bar above it. */
export const BLOCK_CLASS = 'jp-CaveLab-block';
export const BAR_CLASS = 'jp-CaveLab-blockBar';

/** Deeper nesting than any answer has, well under what a stack takes. */
const MAX_DEPTH = 100;

interface IPass {
  readonly document: Document;
  readonly formulas: readonly IFormula[];
  readonly words: IWords;
  readonly levels: ReadonlyMap<string, number>;
}

/** The words that stand for what is not shown. */
export interface IWords {
  picture(alt: string): string;
}

/**
 * Build a copy of parsed markdown that can load nothing, run nothing and look
 * like nothing but text: only known elements, hardly any attributes.
 * `source` belongs to a document without a window, so nothing in it was loaded.
 */
export function purify(
  source: Element,
  formulas: readonly IFormula[],
  words: IWords,
  document: Document
): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const pass = { document, formulas, words, levels: headingLevels(source) };
  copyChildren(source, fragment, pass, 0);
  return fragment;
}

/** Headings of an answer begin at level 4, below the panel's own, without gaps. */
function headingLevels(source: Element): ReadonlyMap<string, number> {
  const used = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].filter(
    name => source.querySelector(name) !== null
  );
  return new Map(used.map((name, at) => [name, Math.min(4 + at, 6)]));
}

function copyChildren(
  source: Node,
  target: Node,
  pass: IPass,
  depth: number
): void {
  for (const child of source.childNodes) {
    copyNode(child, target, pass, depth);
  }
}

function copyNode(
  source: Node,
  target: Node,
  pass: IPass,
  depth: number
): void {
  if (source.nodeType === Node.TEXT_NODE) {
    copyText(source.nodeValue ?? '', target, pass);
  } else if (isElement(source)) {
    if (depth >= MAX_DEPTH) {
      copyText(source.textContent ?? '', target, pass);
    } else {
      copyElement(source, target, pass, depth);
    }
  }
}

/** Elements of another document are instances of another window's classes. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function copyText(text: string, target: Node, pass: IPass): void {
  const inCode = target instanceof Element && target.closest('code, pre');
  if (inCode) {
    target.appendChild(
      pass.document.createTextNode(restoreMath(text, pass.formulas))
    );
    return;
  }
  for (const piece of splitMath(text, pass.formulas)) {
    target.appendChild(
      typeof piece === 'string'
        ? pass.document.createTextNode(piece)
        : formulaNode(piece, pass.document)
    );
  }
}

function copyElement(
  source: Element,
  target: Node,
  pass: IPass,
  depth: number
): void {
  const name = source.localName.toLowerCase();
  const inCode = isInCode(source);
  if (DROPPED.has(name) || (inCode && MEDIA.has(name))) {
    return;
  }
  if (MEDIA.has(name)) {
    target.appendChild(standIn(source, name, pass));
    return;
  }
  const kept = !inCode || KEPT_IN_CODE.has(name);
  const copy = kept ? copyOf(source, name, pass) : null;
  if (inCode && name === 'br') {
    copyText('\n', target, pass);
  }
  copyChildren(source, copy ?? target, pass, depth + 1);
  if (copy) {
    target.appendChild(framed(copy, name, pass));
  }
}

function isInCode(source: Element): boolean {
  return source.parentElement?.closest('pre') != null;
}

function framed(copy: HTMLElement, name: string, pass: IPass): HTMLElement {
  switch (name) {
    case 'table':
      return scrolling(copy, pass);
    case 'pre':
      return underBar(copy, pass);
    default:
      return copy;
  }
}

/** The element that stands for `source`, or null to keep only what is in it. */
function copyOf(
  source: Element,
  name: string,
  pass: IPass
): HTMLElement | null {
  const level = pass.levels.get(name);
  if (level !== undefined) {
    return pass.document.createElement(`h${level}`);
  }
  if (name === 'a') {
    return link(source.getAttribute('href'), pass);
  }
  if (!KEPT.has(name)) {
    return null;
  }
  const copy = pass.document.createElement(name);
  copyLook(source, copy, name);
  return copy;
}

/** The few attributes that only say how text stands. */
function copyLook(source: Element, copy: HTMLElement, name: string): void {
  if (name === 'ol' && /^\d{1,6}$/.test(source.getAttribute('start') ?? '')) {
    copy.setAttribute('start', source.getAttribute('start') ?? '');
  }
  const align = source.getAttribute('align') ?? '';
  if (
    (name === 'td' || name === 'th') &&
    /^(?:left|center|right)$/.test(align)
  ) {
    copy.setAttribute('align', align);
  }
  if (name === 'span' && source.closest('pre')) {
    const kept = [...source.classList].filter(item => HIGHLIGHT.test(item));
    copy.className = kept.join(' ');
  }
  if (name === 'pre') {
    copy.tabIndex = 0;
  }
}

/** A wide table scrolls by itself, and can be reached by keyboard. */
function scrolling(table: HTMLElement, pass: IPass): HTMLElement {
  const frame = pass.document.createElement('div');
  frame.className = 'jp-CaveLab-wide';
  frame.tabIndex = 0;
  frame.appendChild(table);
  return frame;
}

/** Code stands under an empty bar, which the page may fill with what can be done with it. */
function underBar(code: HTMLElement, pass: IPass): HTMLElement {
  const frame = pass.document.createElement('div');
  const bar = pass.document.createElement('div');
  frame.className = BLOCK_CLASS;
  bar.className = BAR_CLASS;
  frame.append(bar, code);
  return frame;
}

/** The address, if it leads to the web. */
function webAddress(href: string | null, pass: IPass): string | null {
  const written = restoreMath(href ?? '', pass.formulas).trim();
  const probe = pass.document.createElement('a');
  probe.href = written;
  const leads = /^https?:\/\//i.test(written) && probe.hostname !== '';
  return leads ? probe.href : null;
}

function link(href: string | null, pass: IPass): HTMLElement {
  const address = webAddress(href, pass);
  if (address === null) {
    return pass.document.createElement('span');
  }
  const anchor = pass.document.createElement('a');
  anchor.href = address;
  anchor.title = address;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  return anchor;
}

/** A picture that is in the text itself; else words, and a link if it leads to the web. */
function standIn(source: Element, name: string, pass: IPass): Node {
  if (name === 'input') {
    const checked = source.hasAttribute('checked') ? '☑' : '☐';
    const box = source.getAttribute('type') === 'checkbox' ? checked : '';
    return pass.document.createTextNode(box);
  }
  const alt = restoreMath(source.getAttribute('alt') ?? '', pass.formulas);
  const src = source.getAttribute('src') ?? '';
  if (name === 'img' && PICTURE.test(src)) {
    const picture = pass.document.createElement('img');
    picture.alt = alt;
    picture.src = src;
    return picture;
  }
  const words = link(src, pass);
  words.classList.add('jp-CaveLab-standIn');
  words.textContent = pass.words.picture(alt);
  return words;
}
