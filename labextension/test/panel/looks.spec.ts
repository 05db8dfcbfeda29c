import { nullTranslator } from '@jupyterlab/translation';

import { heldBack, lookWords } from '../../src/panel/looks';
import type { Looked, Variable } from '../../src/protocol/generated';
import { newRun } from '../../src/state/blank';
import { DF, variable } from '../support/variables';

const trans = nullTranslator.load('cave_lab');
const RUNS = {
  'run-0a1b2c': newRun({
    run_id: 'run-0a1b2c',
    turn_id: 't',
    call: 1,
    phase: 'ended',
    code: 'x',
    purpose: 'Plot revenue'
  })
};

const answer = (fields: Partial<Looked> = {}): Looked => ({
  name: 'df',
  variable: null,
  text: { head: 'a', tail: '', total: 1, cut: false },
  values: true,
  note: null,
  ...fields
});

const words = (names: string[], detail: string, seen: Variable[] = [DF]) =>
  lookWords(
    {
      type: 'look',
      call: 1,
      by: 'model',
      names,
      detail,
      answers: seen.map(one => answer({ name: one.name, variable: one })),
      privacy: 'full'
    },
    RUNS,
    trans
  );

describe('a look in a line', () => {
  it.each([
    ['', 'Looked at df, monthly'],
    ['schema', 'Looked at df, monthly'],
    ['head', 'Looked at df, monthly: first rows'],
    ['column unit price', 'Looked at df, monthly: column unit price'],
    ['from 4000', 'Looked at df, monthly: from position 4000'],
    ['all of it', 'Looked at df, monthly: all of it']
  ])('with the detail %j says so in words', (detail, line) => {
    expect(words(['df', 'monthly'], detail)).toBe(line);
  });

  it('speaks of rows where there are tables alone', () => {
    const names = variable('names', { type: 'list', kind: 'container' });
    expect(words(['names'], 'head', [names])).toBe('Looked at names: contents');
    expect(words(['df', 'names'], 'head', [DF, names])).toBe(
      'Looked at df, names: contents'
    );
  });

  it('calls an earlier output by what its run was for', () => {
    expect(words(['out_0a1b2c'], 'page 2')).toBe(
      'Looked at the output of “Plot revenue”: page 2'
    );
    expect(words(['out_ffffff'], 'page 2')).toBe(
      'Looked at out_ffffff: page 2'
    );
  });

  it('writes out what can not be seen in what the model wrote', () => {
    expect(words(['d\u202ef'], 'column a\u200bb')).toBe(
      'Looked at d⟨U+202E⟩f: column a⟨U+200B⟩b'
    );
  });
});

describe('what the model was told of a look', () => {
  it.each([
    ['schema', 'user', answer({ values: false }), 'schema'],
    ['standard', 'model', answer(), 'values'],
    ['standard', 'model', answer({ values: false }), null],
    ['standard', 'user', answer(), null],
    ['full', 'model', answer(), null],
    ['full', 'user', answer({ name: 'api_key' }), 'secret'],
    ['schema', 'user', answer({ name: 'api_key' }), 'secret'],
    ['full', 'user', answer({ name: 'monkey' }), null],
    ['full', 'user', answer({ name: 'api_key', values: false }), 'secret'],
    ['schema', 'model', answer({ text: null }), null],
    ['schema', 'model', answer({ name: 'out_0a1b2c', text: null }), 'outputs'],
    ['schema', 'model', answer({ name: 'out_ffffff', text: null }), null],
    ['full', 'model', answer({ name: 'out_0a1b2c', text: null }), null]
  ] as const)('in the mode %s, asked by the %s', (privacy, by, one, why) => {
    expect(heldBack(one, { by, privacy }, RUNS)).toBe(why);
  });
});
