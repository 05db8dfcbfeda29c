import { readKeyName } from '../../src/panel/keyName';

const NAMES = [
  'OPENAI_API_KEY',
  'my_key',
  'AZURE_OPENAI_API_KEY_2',
  'COMPANYGATEWAYPRODUCTIONKEY',
  'GPT4_KEY',
  '_KEY'
];

/** In the shape of the keys that providers give; none is one. */
const KEYS = [
  'sk-short',
  ` sk-proj-${'aB3'.repeat(20)}\n`,
  `sk-ant-api03-${'Zz9-'.repeat(20)}`,
  `AIza${'Sy1'.repeat(12)}`,
  `gsk_${'aB3d'.repeat(12)}`,
  `hf_${'abcd'.repeat(9)}`,
  '0123456789abcdef'.repeat(2),
  `Bearer ${'abc1'.repeat(8)}`,
  'aBcD'.repeat(10)
];

const OTHERS = ['$OPENAI_API_KEY', 'my key', '2KEY', 'a-b'];

describe('the field for the name of an environment variable', () => {
  it.each(NAMES)('takes a name: %s', text => {
    expect(readKeyName(text)).toBe('name');
  });

  it.each(KEYS)('knows a key: %s', text => {
    expect(readKeyName(text)).toBe('key');
  });

  it.each(OTHERS)('knows what is no name: %s', text => {
    expect(readKeyName(text)).toBe('neither');
  });
});
