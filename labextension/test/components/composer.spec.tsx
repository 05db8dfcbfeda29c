import { act, fireEvent, screen } from '@testing-library/react';

import type { PanelModel } from '../../src/panel/model';
import type { Result } from '../../src/protocol/generated';
import { doing, Stage } from '../support/panel';

function play(panel?: (stage: Stage) => PanelModel): Stage {
  const stage = new Stage();
  stage.stream.begin();
  stage.stream.make('turn.ended');
  return stage.open().show(panel?.(stage));
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const type = (value: string) =>
  fireEvent.change(field(), { target: { value } });
const press = (key: string, more: object = {}) =>
  doing(() => fireEvent.keyDown(field(), { key, ...more }));
const texts = (stage: Stage) =>
  stage.client
    .of('message.send')
    .map(({ content }) =>
      content.map(part => (part.type === 'text' ? part.text : '')).join('')
    );

/** An answer that comes when the test says so. */
function slow(): {
  promise: Promise<Result | null>;
  give: (result: Result) => void;
} {
  let give: (result: Result) => void = () => undefined;
  const promise = new Promise<Result | null>(resolve => (give = resolve));
  return { promise, give };
}

/** What a browser measures: five lines, and a border above and below. */
const MEASURED = { scrollHeight: 110, offsetHeight: 52, clientHeight: 50 };

describe('the composer', () => {
  it('is as high as its text with its borders, so that it does not scroll', () => {
    for (const [name, height] of Object.entries(MEASURED)) {
      jest
        .spyOn(HTMLElement.prototype, name as keyof typeof MEASURED, 'get')
        .mockReturnValue(height);
    }
    play();
    expect(field().style.height).toBe('112px');
  });

  it('gives the focus back to the notebook in front by Esc, while nothing runs', async () => {
    const stage = play();
    type('half a thought');
    await press('Escape');
    expect(stage.notebooks.done).toEqual(['open a.ipynb']);
    expect(field().value).toBe('half a thought');
  });

  it('keeps the focus at an Esc that comes as a turn ends', async () => {
    const stage = play();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(5_000);
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.tell();
    stage.stream.make('turn.ended', { turn_id: 'turn-2' });
    stage.tell();
    clock.mockReturnValue(5_300);
    await press('Escape');
    expect(stage.notebooks.done).toEqual([]);
    clock.mockReturnValue(6_300);
    await press('Escape');
    expect(stage.notebooks.done).toEqual(['open a.ipynb']);
    clock.mockRestore();
  });

  it('sends by Enter, with what the notebook looks like, and is empty then', async () => {
    const stage = play();
    type('plot it');
    await press('Enter');
    expect(stage.client.of('message.send')).toMatchObject([
      {
        thread_id: 'th-1',
        content: [{ type: 'text', text: 'plot it' }],
        anchor: 'mine'
      }
    ]);
    expect(field().value).toBe('');
  });

  it.each([
    ['Shift+Enter begins a line', { shiftKey: true }],
    ['Enter ends a word in an input method', { isComposing: true }],
    ['Enter ends a word in an input method of Safari', { keyCode: 229 }]
  ])('sends nothing when %s', async (_, more) => {
    const stage = play();
    type('plot');
    await press('Enter', more);
    expect(texts(stage)).toEqual([]);
    expect(field().value).toBe('plot');
  });

  it('sends nothing that is blank', async () => {
    const stage = play();
    type('  \n ');
    await press('Enter');
    expect(texts(stage)).toEqual([]);
  });

  it('brings the last message back by the up arrow, in an empty field only', async () => {
    play();
    await press('ArrowUp');
    expect(field().value).toBe('Go on.');
    type('x');
    await press('ArrowUp');
    expect(field().value).toBe('x');
  });

  it('takes the last queued message out of the queue by the up arrow, once', async () => {
    const stage = play();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    for (const text of ['by month', 'log scale']) {
      stage.stream.make('message.queued', {
        message_id: text,
        content: [{ type: 'text', text }]
      });
    }
    stage.tell();
    const answer = slow();
    stage.client.answers['message.unqueue'] = answer.promise;
    await press('ArrowUp');
    await press('ArrowUp');
    await doing(() => answer.give({ type: 'queued', message_id: 'log scale' }));
    expect(stage.client.of('message.unqueue')).toMatchObject([
      { message_id: 'log scale' }
    ]);
    expect(field().value).toBe('log scale');
  });

  it('puts refused text back, before what was typed since, and says why', async () => {
    const stage = play();
    const answer = slow();
    stage.client.answers['message.send'] = answer.promise.then(() => {
      throw new Error('The disk is full.');
    });
    type('plot it');
    await press('Enter');
    type('and more');
    await doing(() => answer.give({ type: 'turn', turn_id: 'x' }));
    expect(field().value).toBe('plot it\nand more');
    expect(screen.getByRole('alert').textContent).toContain(
      'The disk is full.'
    );
  });

  it('has Stop from the instant of sending, before any event', async () => {
    const stage = play();
    const answer = slow();
    stage.client.answers['message.send'] = answer.promise;
    type('plot it');
    await press('Enter');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    await doing(() => screen.getByRole('button', { name: 'Stop' }).click());
    expect(stage.client.of('turn.stop')).toHaveLength(1);
  });

  it('has the focus again after a click on Send or Stop', async () => {
    const stage = play();
    stage.client.answers['message.send'] = slow().promise;
    type('plot it');
    for (const name of ['Send', 'Stop']) {
      const button = screen.getByRole('button', { name });
      button.focus();
      await doing(() => button.click());
      expect(document.activeElement).toBe(field());
    }
  });

  it('shows Stop without a gap when the turn begins', async () => {
    const stage = play();
    stage.client.answers['message.send'] = { type: 'turn', turn_id: 'turn-2' };
    type('plot it');
    await press('Enter');
    expect(screen.getByText('plot it')).toBeTruthy();
    screen.getByRole('button', { name: 'Stop' });
    stage.stream.make('turn.started', {
      turn_id: 'turn-2',
      content: [{ type: 'text', text: 'plot it' }]
    });
    stage.tell();
    expect(screen.getAllByText('plot it')).toHaveLength(1);
    screen.getByRole('button', { name: 'Stop' });
  });

  it('stops by Esc while a turn runs, and not when none does', async () => {
    const stage = play();
    await press('Escape');
    expect(stage.client.of('turn.stop')).toEqual([]);
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.tell();
    await press('Escape');
    expect(stage.client.of('turn.stop')).toHaveLength(1);
  });

  it('says that it is stopping until the turn has ended', async () => {
    const stage = play();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.tell();
    await press('Escape');
    screen.getByRole('button', { name: 'Stopping …' });
    stage.stream.make('turn.ended', {
      turn_id: 'turn-2',
      stop_reason: 'cancelled'
    });
    stage.tell();
    screen.getByRole('button', { name: 'Send' });
  });

  it('queues while a turn runs; a queued message can be changed, removed or sent now', async () => {
    const stage = play();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.stream.make('message.queued', {
      content: [{ type: 'text', text: 'log scale' }]
    });
    stage.tell();
    const click = (name: string) =>
      doing(() => screen.getByRole('button', { name }).click());
    await click('Send now');
    expect(stage.client.sent.slice(-2)).toMatchObject([
      { type: 'message.unqueue', message_id: 'm-1' },
      { type: 'message.send', when: 'steer', content: [{ text: 'log scale' }] }
    ]);
    await click('Take it back into the field');
    expect(field().value).toBe('log scale');
    await click('Remove it from the queue');
    expect(stage.client.of('message.unqueue')).toHaveLength(3);
  });

  it('keeps what is half typed when a suggestion is taken', async () => {
    const stage = play();
    type('and by');
    await doing(() => screen.getByRole('button', { name: 'Plot it' }).click());
    expect(texts(stage)).toEqual(['Plot it']);
    expect(field().value).toBe('and by');
  });

  it('keeps what is half typed while two first messages wait for their thread', async () => {
    const stage = new Stage();
    const answer = slow();
    stage.client.answers['thread.create'] = answer.promise;
    stage.show();
    for (const text of ['one', 'two']) {
      type(text);
      await press('Enter');
    }
    type('three, half');
    await doing(() => answer.give({ type: 'thread', thread_id: 'th-1' }));
    expect(texts(stage)).toEqual(['one', 'two']);
    expect(field().value).toBe('three, half');
  });

  it('says what Send now does also when the queue is held and no turn runs', () => {
    const stage = play();
    stage.stream.make('message.queued');
    stage.tell();
    const { title } = screen.getByRole('button', { name: 'Send now' });
    expect(title).toMatch(/running turn.*else it begins a turn/);
  });

  it('makes the thread with its first message, on the notebook in front', async () => {
    const stage = new Stage();
    stage.client.answers['thread.create'] = {
      type: 'thread',
      thread_id: 'th-1'
    };
    stage.show();
    type('begin');
    await press('Enter');
    expect(stage.client.of('thread.create')).toMatchObject([
      { target: { notebook: { path: 'a.ipynb' } } }
    ]);
    expect(texts(stage)).toEqual(['begin']);
  });

  it('keeps text that was on its way when the page went', async () => {
    jest.useFakeTimers();
    const stage = play();
    stage.client.answers['message.send'] = slow().promise;
    type('plot it');
    await press('Enter');
    type('and more');
    await act(() => jest.advanceTimersByTimeAsync(300));
    jest.useRealTimers();
    const other = stage.makePanel();
    await other.drafts.load();
    expect(other.drafts.text('th-1')).toBe('plot it\nand more');
    other.dispose();
  });
});
