import {
  act,
  cleanup,
  fireEvent,
  render,
  screen,
  within
} from '@testing-library/react';
import React from 'react';

import { App } from '../../src/components/app';
import { doing, drawing, Stage } from '../support/panel';
import { later, THEIRS } from '../support/waiting';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  cleanup();
  document.body.replaceChildren();
});

/** The panel, and beside it a cell of the person's own, before the run asks. */
function play(): Stage {
  const stage = new Stage();
  stage.stream.begin().send('run-1');
  stage.stream.make('run.started');
  stage.open();
  render(
    <>
      <textarea aria-label={THEIRS} />
      <App panel={stage.panel} drawing={drawing()} />
    </>
  );
  return stage;
}

/** Let it ask. */
function askNow(stage: Stage, question: object = {}): Stage {
  stage.stream.make('stdin.requested', question);
  return stage.tell();
}

/** Let it ask, and the moment pass in which no answer is taken. */
function ask(stage: Stage, question: object = {}): Stage {
  askNow(stage, question);
  later();
  return stage;
}

const composer = () => screen.getByLabelText('Message');
const field = (prompt = 'Name?') =>
  screen.getByLabelText<HTMLInputElement>(prompt);
/** The button beside the field; the composer has one too. */
const send = () => within(field().form!).getByRole('button', { name: 'Send' });
const values = (stage: Stage) =>
  stage.client.of('stdin.answer').map(({ value }) => value);
const type = (value: string) =>
  fireEvent.change(field(), { target: { value } });

describe('a cell that asks for input', () => {
  it('shows what it asks with a field for the answer', () => {
    ask(play());
    expect(field().type).toBe('text');
    expect(screen.getByText('needs input')).toBeTruthy();
  });

  it('masks a password', () => {
    ask(play(), { password: true });
    expect(field().type).toBe('password');
  });

  it('says what it wants if its prompt does not', () => {
    const stage = ask(play(), { prompt: ' ' });
    expect(field('The cell asks for a line of input.')).toBeTruthy();
    ask(stage, { prompt: '', password: true, question: 2 });
    expect(field('The cell asks for a password.')).toBeTruthy();
  });

  it('shows unseen characters of its prompt', () => {
    ask(play(), { prompt: 'Safe\u202e?' });
    expect(screen.getByText('Safe⟨U+202E⟩?')).toBeTruthy();
  });

  it('is answered by Send', async () => {
    const stage = ask(play());
    type('Ada');
    await doing(() => fireEvent.click(send()));
    expect(values(stage)).toEqual(['Ada']);
  });

  it('is answered by Enter, with nothing too', async () => {
    const stage = ask(play());
    await doing(() => fireEvent.submit(field().form!));
    expect(values(stage)).toEqual(['']);
  });

  it('takes no Enter for an answer that was meant for where the focus was', async () => {
    const stage = play();
    act(() => composer().focus());
    askNow(stage);
    await doing(() => fireEvent.submit(field().form!));
    expect(values(stage)).toEqual([]);
    later();
    act(() => composer().focus());
    act(() => stage.panel.enter());
    await doing(() => fireEvent.submit(field().form!));
    expect(values(stage)).toEqual([]);
    later();
    await doing(() => fireEvent.submit(field().form!));
    expect(values(stage)).toEqual(['']);
  });

  it('takes no key that is held down since before for an answer', () => {
    ask(play());
    const held = { key: 'Enter', repeat: true };
    expect(fireEvent.keyDown(field(), held)).toBe(false);
  });

  it('takes no Enter of an input method for an answer', () => {
    ask(play());
    const enter = { key: 'Enter', isComposing: true };
    expect(fireEvent.keyDown(field(), enter)).toBe(false);
    expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true);
  });

  it('takes one answer, and its field waits for what comes of it', async () => {
    const stage = ask(play());
    type('Ada');
    await doing(() => fireEvent.submit(field().form!));
    await doing(() => fireEvent.submit(field().form!));
    expect(values(stage)).toEqual(['Ada']);
    expect(field().readOnly).toBe(true);
    expect(field().getAttribute('aria-disabled')).toBe('true');
    stage.stream.make('stdin.closed');
    stage.tell();
    expect(screen.queryByLabelText('Name?')).toBeNull();
  });

  it('says why an answer was not taken, and keeps it', async () => {
    const stage = ask(play());
    stage.client.answers['stdin.answer'] = 'The cell does not wait.';
    type('Ada');
    await doing(() => fireEvent.submit(field().form!));
    expect(screen.getByRole('alert').textContent).toBe(
      'The cell does not wait.'
    );
    expect(field().value).toBe('Ada');
    expect(field().readOnly).toBe(false);
  });

  it('is stopped by Esc in its field', async () => {
    const stage = ask(play());
    await doing(() => fireEvent.keyDown(field(), { key: 'Escape' }));
    expect(stage.client.of('turn.stop')).toHaveLength(1);
    expect(values(stage)).toEqual([]);
  });

  it('can be read but not answered where the thread is only read', () => {
    const stage = play();
    stage.stream.make('stdin.requested');
    stage.tell('It runs elsewhere.');
    act(() => stage.panel.setView('thread'));
    expect(screen.getByText('Name?')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Name?' })).toBeNull();
    expect(
      screen.getByText('It can only be answered where this thread runs.')
    ).toBeTruthy();
  });

  it('can be read but not answered on a page that came by a token', () => {
    const stage = play();
    const { link } = stage.client;
    if (link.kind === 'open') {
      const hello = { ...link.hello, may_approve: false };
      stage.client.link = { kind: 'open', hello };
    }
    ask(stage);
    expect(screen.queryByRole('textbox', { name: 'Name?' })).toBeNull();
    expect(screen.getByText(/Answer it in a browser/)).toBeTruthy();
  });

  it('opens its card again when it was closed', () => {
    const stage = play();
    fireEvent.click(screen.getByRole('button', { name: /^Set x/ }));
    ask(stage);
    expect(field()).toBeTruthy();
  });
});

describe('the focus', () => {
  it('goes from our empty composer into the field, and back when it is done', async () => {
    const stage = play();
    act(() => composer().focus());
    ask(stage);
    expect(document.activeElement).toBe(field());
    await doing(() => fireEvent.submit(field().form!));
    expect(document.activeElement).toBe(field());
    stage.stream.make('stdin.closed');
    stage.tell();
    const card = screen.getByText('Set x').closest('section');
    expect(document.activeElement).toBe(card);
    stage.stream.make('run.ended');
    stage.tell();
    expect(document.activeElement).toBe(composer());
  });

  it('never falls into a draft between two questions, where a password would be sent to the model', async () => {
    const stage = play();
    fireEvent.change(composer(), { target: { value: 'and the' } });
    ask(stage);
    act(() => field().focus());
    await doing(() => fireEvent.submit(field().form!));
    stage.stream.make('stdin.closed');
    stage.tell();
    expect(document.activeElement).not.toBe(composer());
    ask(stage, { prompt: 'Password?', password: true, question: 2 });
    expect(document.activeElement).toBe(field('Password?'));
  });

  it('comes into a card that was folded by the command that opens the panel', () => {
    const stage = ask(play());
    fireEvent.click(screen.getByRole('button', { name: /^Set x/ }));
    expect(screen.queryByLabelText('Name?')).toBeNull();
    act(() => stage.panel.enter());
    expect(document.activeElement).toBe(field());
  });

  it('goes on to the next question', async () => {
    const stage = play();
    act(() => composer().focus());
    ask(stage);
    await doing(() => fireEvent.submit(field().form!));
    stage.stream.make('stdin.closed');
    ask(stage, { prompt: 'Sure?', question: 2 });
    expect(document.activeElement).toBe(field('Sure?'));
  });

  it('stays in the cell in which the person works', () => {
    const stage = play();
    act(() => screen.getByLabelText(THEIRS).focus());
    ask(stage);
    expect(document.activeElement).toBe(screen.getByLabelText(THEIRS));
  });

  it('stays in a composer that holds text', () => {
    const stage = play();
    act(() => composer().focus());
    fireEvent.change(composer(), { target: { value: 'and the' } });
    ask(stage);
    expect(document.activeElement).toBe(composer());
  });

  it('is taken by the command that opens the panel', () => {
    const stage = ask(play());
    act(() => stage.panel.enter());
    expect(document.activeElement).toBe(field());
  });
});
