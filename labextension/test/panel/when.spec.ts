import { dateAndTime, dayOrTime } from '../../src/panel/when';

const NOW = new Date(2026, 10, 30, 16, 30);
const at = (day: number, hour: number) =>
  new Date(2026, 10, day, hour, 5).toISOString();

describe('when a thread was last changed', () => {
  it('has its time if that was today', () => {
    expect(dayOrTime(at(30, 9), NOW)).toMatch(/^9:05\sAM$/);
  });

  it('has its date if that was another day', () => {
    expect(dayOrTime(at(29, 23), NOW)).toBe('Nov 29, 2026');
  });

  it('has both in its title', () => {
    expect(dateAndTime(at(29, 9))).toMatch(
      /^Sunday, November 29, 2026 at 9:05:00\sAM$/
    );
  });
});
