/** A key as the browser tells of it. */
interface IKey {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** What browsers call a key that an input method has taken. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method and not to us. Safari ends the input before it
 * tells of the key that ended it, and then only the code says so.
 */
export function isOfInputMethod(key: IKey): boolean {
  return key.isComposing || key.keyCode === TAKEN;
}
