import { NO_USAGE } from '../../src/state/blank';
import { replay } from '../../src/state/reducer';
import {
  callsOf,
  exactCost,
  exactCount,
  moneyOf,
  priceSources,
  shortCost,
  shortCount
} from '../../src/state/usage';
import { Stream } from '../support/events';

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
    [1.239, '1.24', false],
    [12_345.6, '12,345.60', false]
  ])('of %d dollars is told in cents', (cost, digits, below) => {
    expect(shortCost(cost)).toEqual({ digits, below });
  });
});

describe('an exact number', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [41_000, '41,000'],
    [1_234_567, '1,234,567']
  ])('of %d tokens has its thousands apart', (count, words) => {
    expect(exactCount(count)).toBe(words);
  });

  it.each([
    [0, '0.00', false],
    [0.04, '0.04', false],
    [0.042137, '0.042137', false],
    [1_234.5, '1,234.50', false],
    [0.0000001, '0.000001', true]
  ])('of %d dollars is told to a millionth', (cost, digits, below) => {
    expect(exactCost(cost)).toEqual({ digits, below });
  });
});

/** The calls of a thread, one for each cost, and their sum. */
function called(...costs: (number | null)[]) {
  const stream = new Stream().begin();
  costs.forEach((cost, at) => {
    const call = at + 1;
    const model = cost === null ? 'free/one' : 'some/model';
    stream.make('context.sent', { call, model });
    stream.make('usage', { call, cost });
  });
  const state = replay(stream.events)!;
  return [state.usage, callsOf(state)] as const;
}

describe('the money of calls', () => {
  it.each([
    [[0.25, 0.5], { cost: 0.75, unpriced: 0 }],
    [[0.25, null], { cost: 0.25, unpriced: 1 }],
    [[null, null], { cost: null, unpriced: 2 }]
  ] as const)('of %j is %j', (costs, money) => {
    expect(moneyOf(...called(...costs), null)).toEqual(money);
  });

  it('is not told where nothing was called, or only what is free', () => {
    expect(moneyOf(NO_USAGE, [], null)).toBeNull();
    expect(moneyOf(...called(null, null), 'free/one')).toBeNull();
  });

  it('is not unknown because some of it was free', () => {
    expect(moneyOf(...called(0.25, null), 'free/one')).toEqual({
      cost: 0.25,
      unpriced: 0
    });
  });

  it('names each source of prices once', () => {
    const stream = new Stream().begin();
    ['list', 'provider', 'list', null, ''].forEach((price_source, call) => {
      stream.make('context.sent', { call });
      stream.make('usage', { call, price_source });
    });
    const calls = callsOf(replay(stream.events)!);
    expect(priceSources(calls)).toEqual(['list', 'provider']);
  });
});
