const DEADLINE_MS = 4_000;
const POLL_MS = 2;

/** Waits until a condition holds; fails with what was waited for when it doesn't in time. */
export async function until(
  condition: () => boolean,
  what: string
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!condition()) {
    if (Date.now() > deadline) {
      throw new Error(`Waited in vain until ${what}.`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}
