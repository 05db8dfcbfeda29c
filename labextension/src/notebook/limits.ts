/**
 * Every size and time of the notebook room, with its reason.
 */
export const LIMITS = {
  /** What the server takes of an outline (`Limits.outline_bytes`). */
  outlineBytes: 256_000,
  /** Of it for ids and hashes: about 800 cells. */
  outlineIdsBytes: 140_000,
  /** Of it for sources and outputs: ten times what a model is given of them. */
  outlineWindowBytes: 100_000,
  /** A longer source says little more to a model and would push out its neighbours. */
  sourceChars: 16_000,
  /** Of an output in the outline: enough to know what it was. */
  outputHeadChars: 400,
  outputTailChars: 200,
  /** The person's typing while a turn runs reaches the server this often at most. */
  outlineMs: 3_000,

  /** 200 updates a second took 81% of the main thread, merged over 100 ms 16%. */
  outputMs: 100,
  /** A stream is drawn anew as a whole: at 200,000 characters once a second. */
  outputMsPerChar: 0.005,
  /** Events come with every frame; what a person notices begins at 100 ms. */
  threadMs: 80,
  /** Typing in a cell is looked at this often; adding and deleting cells at once. */
  typingMs: 200,

  /** A check of the file takes 19 to 112 ms; several cells in a row share one. */
  freshMs: 1_000,
  /** A message waits no longer than this for a look at its notebook's file. */
  freshWaitMs: 2_000,
  /** How often a document that is behind its file is looked at again. */
  staleMs: 2_000,
  /** A save that neither ends nor fails was given up in a dialog. */
  savingMs: 30_000,

  /** After a load a cell may follow one of a thread that is still being read: wait no longer for it. */
  gatherMs: 3_000,

  /** Waits between attempts to fetch an output; after the last it is said to be missing. */
  blobRetryMs: [1_000, 4_000],
  /** A new cell is drawn, and grows, over some frames: look this often whether it is in view. */
  revealTries: 4,
  revealFrames: 8
} as const;
