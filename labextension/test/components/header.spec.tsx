import { act, fireEvent, screen } from '@testing-library/react';

import type { ThreadSummary } from '../../src/protocol/generated';
import { TARGET } from '../support/events';
import { doing, Stage } from '../support/panel';

function summary(thread_id: string): ThreadSummary {
  return {
    thread_id,
    title: thread_id,
    target: TARGET,
    created: '2026-01-01T00:00:00Z',
    changed: '2026-01-01T00:00:00Z',
    last_seq: 1,
    running: false,
    usage: null,
    read_only: null
  };
}

function play(): Stage {
  const stage = new Stage();
  stage.client.answers['thread.list'] = {
    type: 'threads',
    threads: [summary('th-1'), summary('th-2')]
  };
  stage.stream.begin();
  stage.stream.make('turn.ended');
  return stage.open().show();
}

const button = (name: string) => screen.getByRole('button', { name });
const click = (name: string) =>
  doing(() => {
    button(name).focus();
    button(name).click();
  });
const focused = () => document.activeElement;

describe('the title of the thread', () => {
  const title = () => screen.getByRole('textbox', { name: /Title/ });
  const press = (key: string, more: object = {}) =>
    doing(() => fireEvent.keyDown(title(), { key, ...more }));

  it('has the focus again after Enter and after Esc', async () => {
    const stage = play();
    for (const key of ['Enter', 'Escape']) {
      await click('New');
      expect(focused()).toBe(title());
      fireEvent.change(title(), { target: { value: 'Sales' } });
      await press(key);
      expect(focused()).toBe(button('New'));
    }
    const changes = stage.client.of('thread.change');
    expect(changes.map(change => change.title)).toEqual(['Sales']);
  });

  it('leaves the focus where a click took it', async () => {
    play();
    await click('New');
    act(() => screen.getByLabelText('Message').focus());
    button('New');
    expect(focused()).toBe(screen.getByLabelText('Message'));
  });

  it.each(['Enter', 'Escape'])(
    'stays open at %s that belongs to an input method',
    async key => {
      play();
      await click('New');
      await press(key, { keyCode: 229 });
      expect(focused()).toBe(title());
    }
  );
});

describe('the question before a thread is deleted', () => {
  async function ask(): Promise<Stage> {
    const stage = play();
    await click('Other threads');
    await click('Delete "th-2"');
    return stage;
  }

  it('has the focus, where a second Enter deletes nothing, and gives it back', async () => {
    await ask();
    expect(focused()).toBe(button('Cancel'));
    await click('Cancel');
    expect(focused()).toBe(button('Delete "th-2"'));
  });

  it('leaves the focus to the search when the thread is gone', async () => {
    const stage = await ask();
    stage.client.answers['thread.list'] = { type: 'threads', threads: [] };
    await click('Delete');
    expect(stage.client.of('thread.delete')).toHaveLength(1);
    expect(focused()).toBe(screen.getByLabelText('Search threads'));
  });
});
