import { briefly } from '../../src/panel/variableWords';
import { DF, variable } from '../support/variables';

describe('a variable in a few words', () => {
  it.each([
    [DF, 'DataFrame 90 × 3'],
    [variable('x', { type: 'list', length: 12 }), 'list 12'],
    [
      variable('a', { type: 'ndarray', dtype: 'float64', shape: [2, 2] }),
      'ndarray float64 2 × 2'
    ],
    [variable('zero', { type: 'ndarray', shape: [] }), 'ndarray'],
    [variable('none', { type: 'list', length: 0 }), 'list 0'],
    [variable('n'), 'int']
  ])('is its type, and how large it is', (one, words) => {
    expect(briefly(one)).toBe(words);
  });
});
