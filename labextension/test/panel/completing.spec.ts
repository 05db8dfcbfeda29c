import { completed, matching, typedAt } from '../../src/panel/completing';
import { variable } from '../support/variables';

/** The place of `|`, and the text without it. */
function at(marked: string): [string, number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

const queryAt = (marked: string) => typedAt(...at(marked))?.query ?? null;
const names = (query: string, ...all: string[]) =>
  matching(
    all.map(name => variable(name)),
    query
  ).map(({ name }) => name);

describe('a name being typed', () => {
  it.each([
    ['@|', ''],
    ['plot @mo|', 'mo'],
    ['plot @m|onthly', 'm'],
    ['看看@d|', 'd'],
    ['(@my.d|', 'my.d']
  ])('is found at the caret of %j', (marked, query) => {
    expect(queryAt(marked)).toBe(query);
  });

  it.each(['plot|', 'a@df|', '@df |', '@df, |', '|@df', '@d-f|'])(
    'is not found at the caret of %j',
    marked => {
      expect(queryAt(marked)).toBeNull();
    }
  );

  it.each([
    ['plot @mo|', 'plot @monthly|'],
    ['plot @mo| by region', 'plot @monthly| by region'],
    ['plot @m|onth, then', 'plot @monthly|, then'],
    ['看看@d|的形状', '看看@monthly|的形状']
  ])('becomes the one that is chosen: %j', (before, after) => {
    const [text, caret] = at(before);
    const done = completed(text, typedAt(text, caret)!, 'monthly');
    expect([done.text, done.caret]).toEqual(at(after));
  });
});

describe('what is offered for it', () => {
  it('is all there is at first, in the order of the kernel', () => {
    expect(names('', 'b', 'a')).toEqual(['b', 'a']);
  });

  it('begins with what is typed, then holds it, in small letters or capitals', () => {
    expect(names('df', 'my_df', 'DF', 'other', 'df2')).toEqual([
      'DF',
      'df2',
      'my_df'
    ]);
  });

  it('is nothing once all that is found stands there', () => {
    expect(names('df', 'df', 'other')).toEqual([]);
    expect(names('df', 'df', 'df2')).toEqual(['df', 'df2']);
  });

  it('begins with the very name that was typed, so that Enter makes no other of it', () => {
    expect(names('df', 'df2', 'DF', 'df')).toEqual(['df', 'df2', 'DF']);
  });

  it('leaves out what was imported', () => {
    const pd = variable('pd', { type: 'module', kind: 'module' });
    expect(matching([pd, variable('p')], '').map(one => one.name)).toEqual([
      'p'
    ]);
  });

  it('leaves out what would not be found again', () => {
    expect(names('', 'a b', '`x`', 'my.data')).toEqual(['my.data']);
  });
});
