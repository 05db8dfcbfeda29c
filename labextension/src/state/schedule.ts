import { LIMITS } from './limits';

/**
 * Calls back later, once; gives what cancels it.
 */
export type Schedule = (callback: () => void) => () => void;

/**
 * Call back with the next frame, or soon where no frames are drawn: in a background tab.
 */
export const nextFrame: Schedule = callback => {
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    callback();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, LIMITS.frameFallbackMs);
  return cancel;
};
