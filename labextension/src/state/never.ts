/**
 * Ends a switch over a union: the compiler proves that nothing gets here.
 */
export function never(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
