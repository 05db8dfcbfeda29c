import { NO_USAGE } from '../../src/state/blank';
import { shortCost, shortCount, usageParts } from '../../src/state/usage';

describe('a count', () => {
  it.each([
    [0, '0', ''],
    [999, '999', ''],
    [1_000, '1.0', 'k'],
    [12_345, '12.3', 'k'],
    [999_949, '999.9', 'k'],
    [999_950, '1.0', 'M'],
    [2_500_000, '2.5', 'M']
  ] as const)('of %d is told as %s%s', (count, digits, unit) => {
    expect(shortCount(count)).toEqual({ digits, unit });
  });
});

describe('money', () => {
  it.each([
    [0, '0.00', false],
    [0.0004, '0.01', true],
    [0.0149, '0.01', false],
    [1.239, '1.24', false]
  ])('of %d dollars is told in cents', (cost, digits, below) => {
    expect(shortCost(cost)).toEqual({ digits, below });
  });
});

describe('usage', () => {
  it('counts what went to the model and what came back', () => {
    const parts = usageParts({
      ...NO_USAGE,
      calls: 2,
      prompt: 11_000,
      completion: 1_300,
      cached: 900,
      cost: 0.04,
      price_source: 'list',
      runs: 3
    });
    expect(parts).toEqual({
      tokens: { digits: '12.3', unit: 'k' },
      cached: { digits: '900', unit: '' },
      cost: { digits: '0.04', below: false },
      priceSource: 'list',
      calls: 2,
      runs: 3
    });
  });

  it('tells no cost while no price is known', () => {
    expect(usageParts(NO_USAGE).cost).toBeNull();
  });
});
