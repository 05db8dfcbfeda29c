/** The front end's sizes and times, each with its reason. */
export const LIMITS = {
  /** An outgoing frame: the server closes the connection on a larger one (1 MiB). */
  frameBytes: 1_048_576,
  /** Commands that wait for a reply: far above a person's hands and a reconciler's reports. */
  waitingCommands: 256,
  /** The first retry comes at once to the eye, the last leaves a dead server in peace. */
  retryFirstMs: 500,
  retryMaxMs: 30_000,
  /** A connection that held so long begins its retries anew; a shorter one goes on backing off. */
  steadyMs: 10_000,
  /** A server that accepts and then says nothing is tried again. */
  helloMs: 15_000,
  /** `changed` when no frame is drawn: browsers stop drawing tabs in the background. */
  frameFallbackMs: 100,
  /**
   * Of a notebook's threads so many are followed: each is loaded by the server, which sends its
   * events, and cells that no save holds yet are those of the last few.
   */
  notebookThreads: 12
} as const;
