import { act, fireEvent, screen } from '@testing-library/react';

import { Stream } from '../support/events';
import { Stage } from '../support/panel';

const list = () => screen.getByRole('log');

/** Give the transcript a height; jsdom lays nothing out. */
function layOut(node: HTMLElement): void {
  Object.defineProperties(node, {
    clientHeight: { get: () => 100 },
    scrollHeight: { get: () => 1_000 }
  });
}

/** Another thread, of some turns, that the page follows. */
function follow(stage: Stage, thread_id: string, turns: number): void {
  const stream = new Stream().begin();
  stream.make('turn.ended');
  for (let at = 2; at <= turns; at += 1) {
    stream.make('turn.started', { turn_id: `turn-${at}` });
    stream.make('turn.ended', { turn_id: `turn-${at}` });
  }
  stage.panel.shown.open(thread_id);
  act(() =>
    stream.events.forEach(event =>
      stage.client.received.emit({ ...event, thread_id })
    )
  );
}

describe('the transcript of another thread', () => {
  it('is opened at its end, and calls nothing of it new', () => {
    const stage = new Stage();
    follow(stage, 'th-2', 4);
    stage.stream.begin();
    stage.stream.make('turn.ended');
    stage.open().show();
    const left = list();
    layOut(left);
    fireEvent.wheel(left);
    left.scrollTop = 40;
    fireEvent.scroll(left);
    act(() => stage.panel.shown.open('th-2'));
    stage.tell();
    expect(screen.getAllByRole('article')).toHaveLength(4);
    expect(screen.queryByText(/new ↓/)).toBeNull();
    expect(list()).not.toBe(left);
  });
});
