import { act, fireEvent, screen } from '@testing-library/react';

import type { CompactedItem } from '../../src/protocol/generated';
import { staged } from '../support/panel';

const NUMBERS = { before_tokens: 123_456, after_tokens: 7_890 };

function play(fields: Partial<CompactedItem>): void {
  staged(stream => stream.make('context.compacted', { ...NUMBERS, ...fields }));
}

describe('the row of a compaction', () => {
  it.each([
    [
      { tier: 'stubs', reason: 'window' },
      'The model is told older outputs in one line each. The model’s window was nearly full. About 123,456 tokens became 7,890.'
    ],
    [
      { tier: 'trimmed', reason: 'overflow' },
      'The model is no longer told older parts of the talk. The provider said that it was too long. About 123,456 tokens became 7,890.'
    ]
  ] as const)('says what was shortened and why: %j', (fields, words) => {
    play(fields);
    expect(screen.getByText(words)).toBeTruthy();
  });

  it('opens to the summary that the model goes by', () => {
    play({ tier: 'summary', summary: 'They plotted revenue.\nMarch is best.' });
    const row =
      document.querySelector<HTMLDetailsElement>('.jp-CaveLab-folded')!;
    expect(row.textContent).toMatch(/^The talk so far was summarised/);
    expect(row.open).toBe(false);
    act(() => {
      row.open = true;
      fireEvent(row, new Event('toggle'));
    });
    expect(
      screen.getByRole('group', { name: 'Summary for the model' }).textContent
    ).toBe('They plotted revenue.\nMarch is best.');
  });
});
