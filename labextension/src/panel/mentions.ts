import type { Part } from '../protocol/generated';
import type { Content } from './pending';

/** A place in a text that may name a variable: where its `@` stands, and what follows it. */
export interface IToken {
  readonly from: number;
  readonly word: string;
}

/** Whether the kernel holds a variable of this name, as far as is known. */
export type IsKnown = (name: string) => boolean;

/** The server looks at so many names of a message, which takes 64 parts. */
const MOST = 20;

const TOKEN = /@([\p{ID_Start}_]\p{ID_Continue}*(?:\.\p{ID_Continue}+)*)/gu;

/** What may stand before the `@` of an address: behind it, no name of a variable begins. */
const OF_ADDRESS = /[\p{L}\p{N}\p{M}_.+%@/\\]/u;

/** Scripts that set no spaces between words, so that a name may begin or end anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Lines of decorators down to what they decorate, as they stand in pasted Python. */
const DECORATORS =
  /^(?:[ \t]*@[\w.]+(?:\([^\n]*\))?[ \t]*\r?\n)+(?=[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*[(:])/gm;

/** Whether what stands at `at` begins a word. */
export function beginsWord(text: string, at: number): boolean {
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.at(0);
  return (
    before === undefined || UNSPACED.test(before) || !OF_ADDRESS.test(before)
  );
}

/** Where the first character stands of a script that sets no spaces between words; or -1. */
export function firstUnspaced(text: string): number {
  return text.search(UNSPACED);
}

/** The places where a text may name variables; none in an address or in a decorator. */
export function tokensIn(text: string): readonly IToken[] {
  const decorators = [...text.matchAll(DECORATORS)].map(
    found => [found.index, found.index + found[0].length] as const
  );
  return [...text.matchAll(TOKEN)]
    .map(found => ({ from: found.index, word: found[1] }))
    .filter(
      ({ from }) =>
        beginsWord(text, from) &&
        !decorators.some(([start, end]) => start <= from && from < end)
    );
}

/** The longest name of a known variable that a word begins with, or null. */
export function nameIn(word: string, isKnown: IsKnown): string | null {
  for (let end = word.length; end > 0; end--) {
    const rest = word.slice(end);
    const isEnd = /^\.?$/.test(rest.charAt(0)) || firstUnspaced(rest) === 0;
    if (isEnd && isKnown(word.slice(0, end))) {
      return word.slice(0, end);
    }
  }
  return null;
}

/** Whether all that a text may name is known, so that nobody has to be asked. */
export function isSettled(text: string, isKnown: IsKnown): boolean {
  return tokensIn(text).every(({ word }) => nameIn(word, isKnown) !== null);
}

/** A text as the parts of a message: known variables as mentions, all else as it was typed. */
export function partsOf(text: string, isKnown: IsKnown): Content {
  const parts: Part[] = [];
  let end = 0;
  let left = MOST;
  for (const { from, word } of tokensIn(text)) {
    const name = left > 0 ? nameIn(word, isKnown) : null;
    if (name !== null) {
      parts.push(...words(text.slice(end, from)));
      parts.push({ type: 'mention', kind: 'variable', name });
      end = from + 1 + name.length;
      left--;
    }
  }
  const [first = { type: 'text', text }, ...rest] = [
    ...parts,
    ...words(text.slice(end))
  ];
  return [first, ...rest];
}

function words(text: string): Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
