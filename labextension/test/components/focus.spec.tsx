import { screen } from '@testing-library/react';

import type { Stream } from '../support/events';
import { doing, staged } from '../support/panel';

const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) =>
  doing(() => {
    button(name).focus();
    button(name).click();
  });

const queued = (s: Stream) => s.make('message.queued');
const placed = (s: Stream) => {
  s.send('run-1');
  s.make('run.ended');
  s.make('cell.placed');
  s.make('turn.ended');
};
const lost = (s: Stream) => {
  s.make('turn.ended');
  s.make('kernel.changed', {
    reason: 'lost',
    lost: ['df'],
    lost_total: 1
  });
};

const BUTTONS: [string, (stream: Stream) => unknown][] = [
  ['Send now', queued],
  ['Take it back into the field', queued],
  ['Remove it from the queue', queued],
  ['Go on', s => s.make('turn.ended', { stop_reason: 'max_runs' })],
  ['Try again', s => s.make('turn.ended', { stop_reason: 'interrupted' })],
  ['Plot it', s => s.make('turn.ended')],
  ['Keep all', placed],
  ['Undo turn', placed],
  ['Continue without', lost]
];

describe('the focus', () => {
  it.each(BUTTONS)(
    'is in the composer after a button that goes away: %s',
    async (name, make) => {
      staged(make);
      await press(name);
      expect(document.activeElement).toBe(screen.getByLabelText('Message'));
    }
  );

  it('is in the composer when a problem is put away', async () => {
    const stage = staged(s => s.make('turn.ended'));
    await doing(() => stage.panel.sender.fail(new Error('The disk is full.')));
    await press('Put this away');
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });

  it('goes to the model settings with the person, and back', async () => {
    staged(s => s.make('turn.ended'));
    await press('Model settings');
    expect(document.activeElement).toBe(button('Back'));
    await press('Back');
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });
});
