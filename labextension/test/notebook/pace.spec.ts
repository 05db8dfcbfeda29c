import { intervalFor, Pace } from '../../src/notebook/pace';

describe('the pace of updates', () => {
  let woken: number;
  let pace: Pace;

  beforeEach(() => {
    jest.useFakeTimers();
    woken = 0;
    pace = new Pace(() => woken++);
  });

  afterEach(() => {
    pace.dispose();
    jest.useRealTimers();
  });

  it('slows down as the text grows', () => {
    expect(intervalFor(0)).toBe(100);
    expect(intervalFor(200_000)).toBe(1_100);
  });

  it('lets the first through, and wakes for what had to wait', () => {
    expect(pace.take('x', 100)).toBe(true);
    expect(pace.take('x', 100)).toBe(false);
    jest.advanceTimersByTime(99);
    expect(woken).toBe(0);
    jest.advanceTimersByTime(1);
    expect(woken).toBe(1);
    expect(pace.take('x', 100)).toBe(true);
  });

  it('keeps two things apart', () => {
    expect(pace.take('x', 100)).toBe(true);
    expect(pace.take('y', 100)).toBe(true);
  });

  it('wakes once, at the earliest of the times asked for', () => {
    pace.wakeIn(200);
    pace.wakeIn(50);
    pace.wakeIn(100);
    jest.advanceTimersByTime(50);
    expect(woken).toBe(1);
    jest.advanceTimersByTime(500);
    expect(woken).toBe(1);
  });

  it('wakes nobody once it is disposed', () => {
    pace.wakeIn(50);
    pace.dispose();
    jest.advanceTimersByTime(100);
    expect(woken).toBe(0);
  });
});
