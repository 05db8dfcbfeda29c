/**
 * What went wrong, in the sentence that came with it.
 */
export function sentence(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
