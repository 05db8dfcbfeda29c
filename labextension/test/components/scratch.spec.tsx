import { screen } from '@testing-library/react';

import type { Stream } from '../support/events';
import { doing, staged } from '../support/panel';

const WORDS = 'A scratch run: it leaves no cell in the notebook.';

function ran(stream: Stream): void {
  stream.send('run-1', { scratch: true });
  stream.make('run.ended', {
    run_id: 'run-1',
    variables: [{ name: 'x', kind: 'added', before: null, after: null }]
  });
}

const head = () => screen.getByRole('button', { name: /^Set x/ });

describe('a scratch run', () => {
  it('says that it leaves no cell before it runs', () => {
    staged(stream => {
      stream.make('run.proposed', { scratch: true });
      stream.make('approval.requested');
    });
    const card = screen.getByRole('alertdialog', { name: 'Set x' });
    expect(card.textContent).toContain(WORDS);
    const described = card.getAttribute('aria-describedby')!;
    expect(document.getElementById(described)!.textContent).toContain(WORDS);
  });

  it('says so in its open card, and has no cell to go to', () => {
    staged(ran);
    expect(screen.getByText(WORDS)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Go to cell' })).toBeNull();
  });

  it('is called scratch in its closed line', async () => {
    staged(ran);
    await doing(() => head().click());
    expect(screen.queryByText(WORDS)).toBeNull();
    expect(head().textContent).toMatch(/^Set xscratchdone/);
  });

  it('is no added cell in the line that ends the turn; what it changed is told', () => {
    staged(stream => {
      ran(stream);
      stream.make('turn.ended');
    });
    const line = document.querySelector('.jp-CaveLab-summary')!;
    expect(line.textContent).toBe('+x');
  });

  it('can be asked for again when its approval was closed by a restart', () => {
    staged(stream => {
      stream.make('run.proposed', { scratch: true });
      stream.make('approval.requested');
      stream.make('approval.closed', { outcome: 'server_restarted' });
    });
    expect(screen.getByRole('button', { name: 'Ask again' })).toBeTruthy();
  });

  it('of another kind is never called so', () => {
    staged(stream => {
      stream.send('run-1');
      stream.make('run.ended');
    });
    expect(head().textContent).not.toContain('scratch');
    expect(screen.queryByText(WORDS)).toBeNull();
  });
});
