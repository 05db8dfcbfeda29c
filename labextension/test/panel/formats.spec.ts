import { nullTranslator } from '@jupyterlab/translation';

import { formatMeaning, learnedWords } from '../../src/panel/formats';
import type { LearnedFormat } from '../../src/protocol/generated';
import { REFUSED_TOOLS } from '../support/model';

const trans = nullTranslator.load('cave_lab');
const AT = '2026-11-28T12:00:00Z';

const LEARNED: [LearnedFormat, string][] = [
  [REFUSED_TOOLS, 'Fenced blocks: it refused tools on Nov 28, 2026.'],
  [
    { format: 'fences', reason: 'call_as_text', at: AT },
    'Fenced blocks: it wrote a tool call as plain text on Nov 28, 2026.'
  ],
  [
    { format: 'fences', reason: 'broken_arguments', at: AT },
    "Fenced blocks: its tool calls couldn't be read, twice, last on Nov 28, 2026."
  ],
  [
    { format: 'tools', reason: 'called_the_tool', at: AT },
    'Tools: it called the tool when it was tested on Nov 28, 2026.'
  ]
];

describe('how a model asks for cells', () => {
  it.each(LEARNED)('is told in a sentence: %j', (learned, words) => {
    expect(learnedWords(learned, trans)).toBe(words);
    expect(formatMeaning(null, learned, trans)).toBe(words);
  });

  it('is open before the first message, if nothing was learned', () => {
    expect(formatMeaning(null, null, trans)).toBe(
      'Decided at the first message.'
    );
  });

  it('is what the person says, whatever was learned', () => {
    expect(formatMeaning('tools', REFUSED_TOOLS, trans)).toContain('a tool of');
    expect(formatMeaning('fences', null, trans)).toContain('marked “run”');
  });
});
