import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

/** A formula and how it was written. */
export interface IFormula {
  readonly tex: string;
  readonly display: boolean;
  readonly source: string;
}

/** Private-use characters that frame the number of a formula taken out of the text. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const MARK = /\uE000(\d+)\uE001/g;

/**
 * Code first, which is skipped; then the four ways to write a formula. A single
 * `$` opens only before a non-space and closes only after one and not before a
 * digit, so that amounts of money stay words.
 */
const PIECES = new RegExp(
  [
    /(?:^|\n)[ \t>]*(?<fence>`{3,}|~{3,})[^\n]*(?:\n(?![ \t>]*\k<fence>)[^\n]*)*(?:\n[ \t>]*\k<fence>[^\n]*)?/
      .source,
    /(?<ticks>`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?[^`]\k<ticks>(?!`)/.source,
    /\$\$(?<dollars>[^$]+)\$\$/.source,
    /\\\[(?<bracket>(?:(?!\\\])[\s\S])+)\\\]/.source,
    /\\\((?<paren>(?:(?!\\\))[^\n])+)\\\)/.source,
    /(?<![\\$\w])\$(?![\s$])(?<dollar>(?:[^$\n\\]|\\.)*(?<!\s))\$(?![\d$])/
      .source
  ].join('|'),
  'g'
);

/**
 * Commands that load, link, style or define commands. MathJax fetches the
 * picture of an `mglyph`, which `\mmlToken` can write; without definitions a
 * command can only be written by its own name.
 */
const REFUSED =
  /\\(?:mmlToken|require|href|url|style|class|cssId|data|bbox|html\w*|includegraphics|unicode|tooltip|csname|(?:g|e|x)?def|let|futurelet|(?:re)?new(?:command|environment)|providecommand|Declare\w*)(?![A-Za-z])/;

/**
 * Take formulas out of markdown, leaving marks that the parser passes through.
 */
export function takeMath(source: string): {
  text: string;
  formulas: readonly IFormula[];
} {
  const formulas: IFormula[] = [];
  let text = '';
  let end = 0;
  const clean = source.replace(/[\uE000\uE001]/g, '');
  for (const found of clean.matchAll(PIECES)) {
    const formula = formulaOf(found);
    if (formula !== null) {
      text += `${clean.slice(end, found.index)}${OPEN}${formulas.length}${CLOSE}`;
      end = found.index + found[0].length;
      formulas.push(formula);
    }
  }
  return { text: text + clean.slice(end), formulas };
}

/** The formula that was found, or null if it is code. */
function formulaOf(found: RegExpMatchArray): IFormula | null {
  const groups: Partial<Record<string, string>> = found.groups ?? {};
  const { dollars, bracket, paren, dollar } = groups;
  const display = dollars ?? bracket;
  const tex = display ?? paren ?? dollar;
  return tex === undefined
    ? null
    : { tex, display: display !== undefined, source: found[0] };
}

/** Put back what was written, for places where no formula can stand. */
export function restoreMath(
  text: string,
  formulas: readonly IFormula[]
): string {
  return text.replace(MARK, (_mark, index: string) => {
    return formulas.at(Number(index))?.source ?? '';
  });
}

/** Split text at its marks: words and formulas in turn. */
export function splitMath(
  text: string,
  formulas: readonly IFormula[]
): (string | IFormula)[] {
  return text
    .split(MARK)
    .map((piece, at) => (at % 2 ? (formulas.at(Number(piece)) ?? '') : piece))
    .filter(piece => piece !== '');
}

/** Whether typesetting a formula stays on this page. */
export function isHarmless(tex: string): boolean {
  return !REFUSED.test(tex);
}

const PENDING = 'jp-CaveLab-math';

/** Draw a formula as its source, to be typeset by `typeset`. */
export function formulaNode(formula: IFormula, document: Document): Node {
  if (!isHarmless(formula.tex)) {
    const code = document.createElement('code');
    code.textContent = formula.source;
    return code;
  }
  const span = document.createElement('span');
  span.className = PENDING;
  span.textContent = formula.display
    ? `\\[${formula.tex}\\]`
    : `\\(${formula.tex}\\)`;
  return span;
}

/**
 * Typeset the formulas below a node, and nothing else of its text.
 */
export function typeset(
  node: Element,
  typesetter: IRenderMime.ILatexTypesetter | null
): void {
  for (const span of node.querySelectorAll<HTMLElement>(`.${PENDING}`)) {
    void typesetter?.typeset(span);
  }
}
