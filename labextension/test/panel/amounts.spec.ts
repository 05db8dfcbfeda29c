import { type Measure, readAmount, writeAmount } from '../../src/panel/amounts';

const TAKEN: [Measure, string, number][] = [
  ['runs', '1', 1],
  ['runs', ' 12 ', 12],
  ['tokens', '1000', 1_000],
  ['tokens', '400000', 400_000],
  ['cost', '0.5', 0.5],
  ['cost', '.05', 0.05],
  ['cost', '2.', 2],
  ['seconds', '60', 3_600],
  ['seconds', '0.5', 30]
];

const REFUSED: [Measure, string, string][] = [
  ['runs', 'twelve', 'no_number'],
  ['runs', '1e3', 'no_number'],
  ['runs', '.', 'no_number'],
  ['runs', '1.5', 'fraction'],
  ['runs', '12.000', 'fraction'],
  ['runs', '0', 'too_small'],
  ['runs', '-3', 'too_small'],
  ['runs', '9'.repeat(20), 'too_large'],
  ['tokens', '400,000', 'no_number'],
  ['tokens', '999', 'too_small'],
  ['cost', '$5', 'no_number'],
  ['cost', '0,5', 'no_number'],
  ['cost', '0.00', 'too_small'],
  ['cost', '-0.5', 'too_small'],
  ['cost', '9'.repeat(400), 'too_large'],
  ['seconds', 'an hour', 'no_number'],
  ['seconds', '0.01', 'too_small']
];

const STORED: [Measure, number, string][] = [
  ['runs', 12, '12'],
  ['tokens', 400_000, '400000'],
  ['tokens', Number.MAX_SAFE_INTEGER - 1, '9007199254740990'],
  ['cost', 0.1, '0.1'],
  ['cost', 1e-7, '0.0000001'],
  ['seconds', 3_600, '60'],
  ['seconds', 100, '1.66667'],
  ['seconds', 1, '0.0166667']
];

describe('the field for a bound of a budget', () => {
  it.each(TAKEN)('takes for %s what is written as %j', (measure, text, to) => {
    expect(readAmount(measure, text)).toEqual({ kind: 'amount', value: to });
  });

  it.each(REFUSED)('refuses for %s what is written as %j: %s', (...row) => {
    const [measure, text, why] = row;
    expect(readAmount(measure, text)).toEqual({ kind: 'refused', why });
  });

  it('sets no bound while it is empty', () => {
    expect(readAmount('runs', ' ')).toEqual({ kind: 'none' });
    expect(writeAmount('runs', null)).toBe('');
  });

  it.each(STORED)('writes of %s the stored %d as it reads it', (...row) => {
    const [measure, value, text] = row;
    expect(writeAmount(measure, value)).toBe(text);
    const read = readAmount(measure, text);
    expect(read).toEqual({ kind: 'amount', value });
  });
});
