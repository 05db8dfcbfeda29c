import { LIMITS } from '../../src/state/limits';
import { nextFrame } from '../../src/state/schedule';
import { until } from '../support/until';

describe('the next frame', () => {
  it('calls back once, though a frame and the fallback would both come', async () => {
    const called = jest.fn();
    nextFrame(called);
    const over = Date.now() + 2 * LIMITS.frameFallbackMs;
    await until(() => Date.now() > over, 'both would have come');
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('comes in a tab that draws none', async () => {
    jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    const called = jest.fn();
    nextFrame(called);
    await until(() => called.mock.calls.length > 0, 'the fallback came');
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('does not come when it was cancelled', async () => {
    const cancelled = jest.fn();
    const other = jest.fn();
    nextFrame(cancelled)();
    nextFrame(other);
    await until(() => other.mock.calls.length > 0, 'a frame was drawn');
    expect(cancelled).not.toHaveBeenCalled();
  });
});
