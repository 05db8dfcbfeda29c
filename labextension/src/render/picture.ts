import type { WholeOutput } from './nbformat';

const SVG = 'image/svg+xml';

/** Pictures and pages that an untrusted output area draws itself. */
const DRAWN = ['text/html', 'image/png', 'image/jpeg', 'image/gif'];

const shown = new WeakMap<WholeOutput, WholeOutput>();

/**
 * An output as the panel draws it. An untrusted output area draws no SVG, so one
 * becomes a picture: there it runs no script and loads nothing. The same output
 * gives the same object.
 */
export function asShown(output: WholeOutput): WholeOutput {
  if (
    output.output_type !== 'display_data' &&
    output.output_type !== 'execute_result'
  ) {
    return output;
  }
  const svg = textOf(output.data[SVG]);
  if (svg === null || DRAWN.some(mime => mime in output.data)) {
    return output;
  }
  const known = shown.get(output);
  if (known) {
    return known;
  }
  const made = { ...output, data: { ...output.data, 'text/html': draw(svg) } };
  shown.set(output, made);
  return made;
}

/** A picture of its own, with the title of the drawing for those who do not see it. */
function draw(svg: string): string {
  // A document without a window decodes nothing for a node that is only written out.
  const inert = document.implementation.createHTMLDocument();
  const picture = inert.createElement('img');
  const title = new DOMParser()
    .parseFromString(svg, SVG)
    .querySelector('title');
  picture.setAttribute('alt', title?.textContent ?? '');
  picture.setAttribute('src', `data:${SVG},${encodeURIComponent(svg)}`);
  return picture.outerHTML;
}

/** A mime bundle holds text, or its lines. */
export function textOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    return value.join('');
  }
  return typeof value === 'string' ? value : null;
}
