/** What a text in the field for the name of an environment variable is. */
export type KeyText = 'name' | 'key' | 'neither';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How the keys of known providers begin. */
const PREFIXES =
  /^(?:sk|pk|rk|xai|gsk|hf|r8|nvapi|ghp|pplx|csk|tgp|fw)[-_]|^AIza|^Bearer\s/;

/** A stretch of a name without `_` is a word or two; a key's is longer than that. */
const LONG = 20;

/**
 * Tell the name of an environment variable from a key that was put in its place.
 */
export function readKeyName(text: string): KeyText {
  const written = text.trim();
  if (PREFIXES.test(written) || written.split(/[_\s]/).some(isRandom)) {
    return 'key';
  }
  return NAME.test(written) ? 'name' : 'neither';
}

/** Long, and of letters with digits, or of small and capital letters, as no word is. */
function isRandom(stretch: string): boolean {
  const mixed = /[A-Za-z]/.test(stretch) && /\d/.test(stretch);
  const cased = /[a-z]/.test(stretch) && /[A-Z]/.test(stretch);
  return stretch.length >= LONG && (mixed || cased);
}
