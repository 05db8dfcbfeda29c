import { isSettled, partsOf, tokensIn } from '../../src/panel/mentions';
import { typedText } from '../../src/panel/words';

const KNOWN = new Set([
  'df',
  'df2',
  'monthly',
  'my.data',
  'größe',
  '数据',
  'timer'
]);
const isKnown = (name: string) => KNOWN.has(name);
const read = (text: string) => partsOf(text, isKnown);
const named = (text: string) =>
  read(text).flatMap(part => (part.type === 'mention' ? [part.name] : []));

describe('what a message names with @', () => {
  it('becomes a mention between the words around it, which stay as they were typed', () => {
    expect(read('plot @df  by month\n')).toEqual([
      { type: 'text', text: 'plot ' },
      { type: 'mention', kind: 'variable', name: 'df' },
      { type: 'text', text: '  by month\n' }
    ]);
    expect(read('@df')).toEqual([
      { type: 'mention', kind: 'variable', name: 'df' }
    ]);
  });

  it.each([
    ['(@df, "@monthly")', ['df', 'monthly']],
    ['what is @df?', ['df']],
    ['what is @df.', ['df']],
    ['@df.shape and @df2', ['df', 'df2']],
    ['mean of @my.data', ['my.data']],
    ['die @größe davon', ['größe']],
    ['看看@df的形状', ['df']],
    ['@数据的形状', ['数据']],
    ['@df의 형태', ['df']]
  ])('is found in %j', (text, names) => {
    expect(named(text)).toEqual(names);
  });

  it.each([
    'write to jo@df.example',
    'jo.doe+x@df',
    'see https://example.org/@df',
    'user@@df',
    '@dfx and @ df',
    '@unknown',
    'nothing at all',
    ''
  ])('is nothing in %j', text => {
    expect(read(text)).toEqual([{ type: 'text', text }]);
  });

  it.each([
    '@timer\ndef f(x):\n    return x',
    '@timer(3)\n@df.cache\nasync def f():\n    pass',
    'why does this fail?\n    @timer\n    class A:\n        pass'
  ])('is no decorator of pasted code: %j', text => {
    expect(named(text)).toEqual([]);
    expect(tokensIn(text)).toEqual([]);
  });

  it('stays found in a line of its own that decorates nothing', () => {
    expect(named('@df\n@monthly\nclass sizes of both')).toEqual([
      'df',
      'monthly'
    ]);
  });

  it('reads the same again after it came back into the field', () => {
    const text = 'join @df, @df2.head() and @monthly (not @else)';
    expect(typedText(read(text))).toBe(text);
    expect(read(typedText(read(text)))).toEqual(read(text));
  });

  it('never makes more parts than a message takes', () => {
    const parts = read('@df '.repeat(100));
    expect(parts.length).toBeLessThanOrEqual(64);
    expect(typedText(parts)).toBe('@df '.repeat(100));
  });

  it('has to be asked for only where a name is not known yet', () => {
    expect(isSettled('plot @df', isKnown)).toBe(true);
    expect(isSettled('plot it, jo@example.org', isKnown)).toBe(true);
    expect(isSettled('plot @df and @new', isKnown)).toBe(false);
  });
});
