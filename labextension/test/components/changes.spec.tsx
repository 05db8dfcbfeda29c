import { fireEvent } from '@testing-library/react';

import { doing, staged } from '../support/panel';

const DF = { name: 'df', kind: 'added', before: null, after: null };

const card = () => document.querySelector('.jp-CaveLab-card')!;

function play(ended: object): void {
  staged(stream => stream.send('run-1').make('run.ended', ended));
}

async function open(wanted: boolean): Promise<void> {
  if (card().getAttribute('data-open') !== String(wanted)) {
    await doing(() => fireEvent.click(card().querySelector('button')!));
  }
}

describe('what a run changed', () => {
  it('is said to be perhaps not all, closed and open', async () => {
    play({ variables: [DF], variables_complete: false });
    await open(false);
    expect(card().textContent).toContain('+dfperhaps others');
    await open(true);
    expect(card().textContent).toContain(
      'Other variables may have changed too.'
    );
  });

  it('is said to be unknown if nothing of it could be seen', async () => {
    play({ variables_complete: false });
    await open(true);
    expect(card().textContent).toContain(
      'Which variables it changed is not known.'
    );
  });

  it.each([
    ['rebound', 'Changed df: DataFrame 3 × 3, new value'],
    ['changed', 'Changed df: DataFrame 3 × 3, contents changed'],
    ['maybe_changed', 'May have changed df: DataFrame 3 × 3']
  ])(
    'says what it is of a value that looks as before: %s',
    async (kind, words) => {
      const value = { type: 'DataFrame', shape: [3, 3], length: null };
      play({ variables: [{ ...DF, kind, before: value, after: value }] });
      await open(true);
      expect(card().querySelector('li')?.textContent).toBe(words);
    }
  );

  it.each([
    ['is known to be nothing', {}],
    ['was not asked for', { status: 'unknown', variables_complete: false }]
  ])('is not spoken of where it %s', async (_, ended) => {
    play(ended);
    await open(true);
    expect(card().textContent).not.toMatch(/it changed|may have changed/);
    await open(false);
    expect(card().textContent).not.toContain('perhaps');
  });
});
