import type { Variable } from '../protocol/generated';
import { beginsWord, firstUnspaced } from './mentions';

/** A name being typed: where its `@` stands, where its word ends, and what is typed of it. */
export interface ITyped {
  readonly from: number;
  readonly to: number;
  readonly query: string;
}

const BEFORE = /@([\p{ID_Continue}.]*)$/u;
const REST = /^\p{ID_Continue}*/u;

/** What can be written behind `@` and is found there again. */
const NAME = /^[\p{ID_Start}_]\p{ID_Continue}*(?:\.\p{ID_Continue}+)*$/u;

/** The name that is being typed where the caret stands, or null. */
export function typedAt(text: string, caret: number): ITyped | null {
  const found = BEFORE.exec(text.slice(0, caret));
  if (found === null || !beginsWord(text, found.index)) {
    return null;
  }
  const [rest = ''] = REST.exec(text.slice(caret)) ?? [];
  const unspaced = firstUnspaced(rest);
  const length = unspaced < 0 ? rest.length : unspaced;
  return { from: found.index, to: caret + length, query: found[1] };
}

/** The text with a name in the place of what is typed of it, and where the caret stands then. */
export function completed(
  text: string,
  { from, to }: ITyped,
  name: string
): { readonly text: string; readonly caret: number } {
  const head = `${text.slice(0, from)}@${name}`;
  return { text: head + text.slice(to), caret: head.length };
}

/**
 * The variables that a query may mean: its very own first, so that Enter never makes another of
 * it, then those that begin with it before those that hold it, else in the kernel's order; imported modules hold no data. None if all that is found stands there already.
 */
export function matching(
  variables: readonly Variable[],
  query: string
): readonly Variable[] {
  const wanted = query.toLowerCase();
  const at = ({ name }: Variable) => name.toLowerCase().indexOf(wanted);
  const named = variables.filter(
    ({ name, kind }) => kind !== 'module' && NAME.test(name)
  );
  const exact = named.filter(({ name }) => name === query);
  const begin = named.filter(one => at(one) === 0 && one.name !== query);
  const found = [...exact, ...begin, ...named.filter(one => at(one) > 0)];
  return found.length === 1 && found[0].name === query ? [] : found;
}
