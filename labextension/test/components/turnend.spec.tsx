import { screen } from '@testing-library/react';

import type { Stream } from '../support/events';
import { staged } from '../support/panel';

const summary = () =>
  document.querySelector('.jp-CaveLab-summary')!.textContent;

const stopReason = () =>
  document.querySelector('.jp-CaveLab-stopReason')!.textContent;

function repair(stream: Stream, changes: object): void {
  stream.send('bad').fail('bad', changes).send('good', { repairs: 'bad' });
  stream.make('run.ended', { run_id: 'good' });
  for (const name of ['bad', 'good']) {
    stream.make('cell.placed', { run_id: name, cell_id: `cell-${name}` });
  }
  stream.make('turn.ended');
}

describe('a turn that no model answered', () => {
  const fail = (code: string) => (stream: Stream) => {
    const text = 'The model did not answer.';
    stream.make('notice', { turn_id: 'turn-1', level: 'error', code, text });
    stream.make('turn.ended', { stop_reason: 'model_error', suggestions: [] });
  };

  it('says so once', () => {
    staged(fail('model_unreachable'));
    expect(screen.getByText('The model did not answer.')).toBeTruthy();
    expect(document.querySelector('.jp-CaveLab-stopReason')).toBeNull();
    expect(screen.queryByText(/Take the guided tour/)).toBeNull();
  });

  it('offers what to do then in one place, with what its notice offers', () => {
    staged(fail('model_unreachable'));
    const row = screen.getByRole('button', {
      name: 'Try again'
    }).parentElement!;
    expect(row.closest('.jp-CaveLab-notice')).not.toBeNull();
    expect(row.textContent).toBe('Go onTry again');
  });

  it('says so itself if no notice did', () => {
    staged(s => s.make('turn.ended', { stop_reason: 'model_error' }));
    expect(screen.getByText(/No answer came from a model/)).toBeTruthy();
  });

  it('offers the guided tour if none is chosen', () => {
    staged(fail('model_not_set'));
    expect(
      screen.getByRole('button', { name: 'Take the guided tour' })
    ).toBeTruthy();
  });
});

describe('a turn that was cut off', () => {
  const REASONS = [
    ['cancelled', 'You stopped this turn.'],
    ['interrupted', 'The server went away in this turn.'],
    ['internal_error', 'CaveLab failed in this turn.']
  ] as const;

  it.each(REASONS)('had done nothing yet: %s', (stop_reason, words) => {
    staged(stream => stream.make('turn.ended', { stop_reason }));
    expect(stopReason()).toBe(`${words} It had done nothing yet.`);
  });

  it.each(REASONS)('keeps what it did: %s', (stop_reason, words) => {
    staged(stream => {
      stream.make('text.delta');
      stream.make('turn.ended', { stop_reason });
    });
    expect(stopReason()).toBe(`${words} What it did so far is kept.`);
  });
});

describe('the beginning of a turn', () => {
  const WORDS = 'Sent by a program, not typed in the panel.';

  it('says that a program began it', () => {
    staged(s => s.make('turn.started', { turn_id: 'turn-2', origin: 'api' }));
    expect(screen.getAllByText(WORDS)).toHaveLength(1);
  });

  it('says nothing of a person’s message', () => {
    staged(s => s.make('turn.ended'));
    expect(screen.queryByText(WORDS)).toBeNull();
  });
});

describe('the summary of a turn', () => {
  it('does not count a failed cell whose repair took its place', () => {
    staged(stream => repair(stream, { variables_complete: true }));
    expect(summary()).toContain('Added 1 cell');
  });

  it('counts a failed cell that stays beside its repair', () => {
    staged(stream => repair(stream, { variables_complete: false }));
    expect(summary()).toContain('Added 2 cells');
  });
});
