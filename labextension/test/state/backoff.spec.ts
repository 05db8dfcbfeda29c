import { Backoff } from '../../src/state/backoff';

const TIMES = { firstMs: 100, maxMs: 1_000, steadyMs: 5_000 };

describe('the waits between attempts', () => {
  it('double up to a largest one', () => {
    const backoff = new Backoff(TIMES, () => 1);
    const waits = Array.from({ length: 6 }, () => backoff.lost(0));
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(backoff.attempt).toBe(6);
  });

  it('are shortened by chance, to half at most', () => {
    expect(new Backoff(TIMES, () => 0).lost(0)).toBe(50);
    const wait = new Backoff(TIMES).lost(0);
    expect(wait).toBeGreaterThanOrEqual(50);
    expect(wait).toBeLessThanOrEqual(100);
  });

  it('begin anew after a connection that held, not after one that did not', () => {
    const backoff = new Backoff(TIMES, () => 1);
    backoff.lost(0);
    expect(backoff.lost(4_999)).toBe(200);
    expect(backoff.lost(5_000)).toBe(100);
    expect(backoff.attempt).toBe(1);
  });
});
