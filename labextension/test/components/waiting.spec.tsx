import {
  act,
  cleanup,
  fireEvent,
  render,
  screen,
  within
} from '@testing-library/react';
import React from 'react';

import { WaitingCard } from '../../src/components/run/waiting';
import { doing, Stage } from '../support/panel';
import { button, field, later, play, Scene, THEIRS } from '../support/waiting';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const reason = () =>
  screen.getByRole<HTMLInputElement>('textbox', { name: /Reason/ });
const editor = () => screen.getByRole('textbox', { name: 'Proposed code' });

describe('a cell that waits for the person', () => {
  it('is run as it was shown, by its hash', async () => {
    const stage = play().tell();
    later();
    await doing(() => button('Run').click());
    expect(stage.client.of('approval.answer')).toEqual([
      {
        type: 'approval.answer',
        thread_id: 'th-1',
        approval_id: 'ap-1',
        sha256: 'f'.repeat(64),
        outcome: 'run',
        scope: 'once'
      }
    ]);
  });

  it('is deaf to Run for half a second after it came up', async () => {
    const stage = play().tell();
    await doing(() => button('Run').click());
    await doing(() => stage.panel.runProposed());
    expect(stage.client.of('approval.answer')).toEqual([]);
    later();
    await doing(() => stage.panel.runProposed());
    expect(stage.client.of('approval.answer')).toHaveLength(1);
  });

  it('takes the focus from our empty composer', () => {
    const stage = play();
    act(() => field().focus());
    stage.tell();
    expect(document.activeElement).toBe(screen.getByRole('alertdialog'));
  });

  it('leaves the focus where the person works', () => {
    const stage = play();
    act(() => button(THEIRS).focus());
    stage.tell();
    expect(document.activeElement).toBe(button(THEIRS));
  });

  it('leaves the focus in a composer that holds text', () => {
    const stage = play();
    act(() => field().focus());
    fireEvent.change(field(), { target: { value: 'and the' } });
    stage.tell();
    expect(document.activeElement).toBe(field());
  });

  it('is where the command that opens the panel leads, and is deaf to Run then', async () => {
    const stage = play().tell();
    later();
    act(() => button(THEIRS).focus());
    act(() => stage.panel.enter());
    expect(document.activeElement).toBe(screen.getByRole('alertdialog'));
    await doing(() => stage.panel.runProposed());
    expect(stage.client.of('approval.answer')).toEqual([]);
    later();
    await doing(() => stage.panel.runProposed());
    expect(stage.client.of('approval.answer')).toHaveLength(1);
  });

  it('lets that command lead to the composer when it was answered', () => {
    const stage = play().tell();
    stage.stream.make('approval.closed');
    stage.tell();
    act(() => stage.panel.enter());
    expect(document.activeElement).toBe(field());
  });

  it('leaves a mark of all being run in this turn, until the turn ends', async () => {
    const words = 'The rest of this turn runs without asking.';
    const stage = play().tell();
    later();
    expect(screen.queryByText(words)).toBeNull();
    await doing(() => button('Run all in this turn').click());
    expect(screen.getByText(words)).toBeTruthy();
    stage.stream.make('approval.closed');
    stage.stream.make('turn.ended');
    stage.tell();
    expect(screen.queryByText(words)).toBeNull();
  });

  it('shows in another page, by a later cell, that all are run in this turn', () => {
    const stage = play();
    stage.stream.make('approval.closed');
    stage.stream.make('run.proposed', { run_id: 'run-2' });
    stage.stream.make('approval.closed', {
      run_id: 'run-2',
      outcome: 'allowed_by',
      allowed_by: 'scope:turn'
    });
    stage.tell();
    const words = 'The rest of this turn runs without asking.';
    expect(screen.getByText(words)).toBeTruthy();
    stage.stream.make('thread.changed', { mode: 'chat' });
    stage.tell();
    expect(screen.queryByText(words)).toBeNull();
  });

  it('says by which keys it is run, where it is seen and not in what it is called', () => {
    play().tell();
    expect(button('Run').textContent).toMatch(/^Run(Ctrl|⌘)/);
  });

  it('gives the focus back to the composer when it was answered', async () => {
    const stage = play();
    act(() => field().focus());
    stage.tell();
    later();
    await doing(() => button('Run').click());
    stage.stream.make('approval.closed');
    stage.tell();
    expect(document.activeElement).toBe(field());
  });

  it('lets a letter typed at it go to the composer', () => {
    const stage = play();
    act(() => field().focus());
    stage.tell();
    fireEvent.keyDown(screen.getByRole('alertdialog'), { key: 'a' });
    expect(document.activeElement).toBe(field());
  });

  it('runs an edit as an edit', async () => {
    const stage = play().tell();
    act(() => button('Edit').click());
    later();
    act(() => {
      const run = stage.panel.outlook.state!.runs['run-1'];
      stage.panel.answers.setEdit(run, 'x = 2');
    });
    await doing(() => button('Run edited').click());
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'run_edited', edited_code: 'x = 2' }
    ]);
  });

  it('is run from its editor by Accel Enter, which adds no line', async () => {
    const stage = play().tell();
    act(() => button('Edit').click());
    later();
    await doing(() =>
      fireEvent.keyDown(editor(), { key: 'Enter', ctrlKey: true })
    );
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'run' }
    ]);
  });

  it('gives the focus from its editor to itself by Esc, and stops nothing', () => {
    const stage = play().tell();
    act(() => button('Edit').click());
    fireEvent.keyDown(editor(), { key: 'Escape' });
    expect(document.activeElement).toBe(screen.getByRole('alertdialog'));
    expect(stage.client.of('turn.stop')).toEqual([]);
  });

  it('is run as proposed if the edit changed nothing', async () => {
    const stage = play().tell();
    act(() => button('Edit').click());
    later();
    await doing(() => button('Run edited').click());
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'run' }
    ]);
  });

  it('is rejected with the reason that was typed', async () => {
    const stage = play().tell();
    act(() => button('Reject').click());
    fireEvent.change(reason(), { target: { value: ' keep my file ' } });
    await doing(() => button('Reject').click());
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'rejected', reason: 'keep my file' }
    ]);
  });

  it('says that a rejection was not taken, and keeps the reason', async () => {
    const stage = play().tell();
    stage.client.answers['approval.answer'] = 'The disk is full.';
    act(() => button('Reject').click());
    fireEvent.change(reason(), { target: { value: 'keep my file' } });
    await doing(() => button('Reject').click());
    expect(screen.getByRole('alert').textContent).toBe('The disk is full.');
    expect(reason().value).toBe('keep my file');
  });

  it('gives the focus back to Reject when the reason is cancelled', () => {
    const stage = play().tell();
    const byCancel = () => fireEvent.click(button('Cancel'));
    const byEsc = () => fireEvent.keyDown(reason(), { key: 'Escape' });
    for (const leave of [byCancel, byEsc]) {
      act(() => button('Reject').click());
      expect(document.activeElement).toBe(reason());
      leave();
      expect(document.activeElement).toBe(button('Reject'));
    }
    expect(stage.client.of('approval.answer')).toEqual([]);
  });

  it('keeps a reason open that Esc only takes out of an input method', () => {
    play().tell();
    act(() => button('Reject').click());
    fireEvent.keyDown(reason(), { key: 'Escape', isComposing: true });
    expect(reason()).toBeTruthy();
  });

  it('answers once, and keeps the focus on the button meanwhile', async () => {
    const stage = play().tell();
    stage.client.answers['approval.answer'] = new Promise(() => undefined);
    later();
    act(() => button('Run').focus());
    for (const name of ['Run', 'Run', 'Reject', 'Edit']) {
      await doing(() => button(name).click());
    }
    expect(button('Run').getAttribute('aria-disabled')).toBe('true');
    expect(button('Run').hasAttribute('disabled')).toBe(false);
    expect(stage.client.of('approval.answer')).toHaveLength(1);
    expect(screen.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  });

  it('can let all of the turn run', async () => {
    const stage = play().tell();
    later();
    await doing(() => button('Run all in this turn').click());
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'run', scope: 'turn' }
    ]);
  });

  it('says what the server said to an answer it did not take', async () => {
    const stage = play().tell();
    stage.client.answers['approval.answer'] = 'No longer waiting.';
    later();
    await doing(() => button('Run').click());
    expect(screen.getByText('No longer waiting.')).toBeTruthy();
    expect(button('Run').hasAttribute('disabled')).toBe(false);
  });

  it('says where it can be approved, in place of buttons that do nothing', () => {
    const stage = play();
    const { link } = stage.client;
    if (link.kind === 'open') {
      const hello = { ...link.hello, may_approve: false };
      stage.client.link = { kind: 'open', hello };
    }
    stage.tell();
    const card = screen.getByRole('alertdialog');
    expect(card.textContent).toContain(
      'Approve it in a browser that is signed in.'
    );
    expect(within(card).queryAllByRole('button')).toEqual([]);
    later();
    fireEvent.keyDown(editor(), { key: 'Enter', ctrlKey: true });
    expect(stage.client.of('approval.answer')).toEqual([]);
  });

  it('says that it is answered elsewhere where it can only be read', () => {
    const stage = play().tell();
    cleanup();
    const run = stage.panel.outlook.state!.runs['run-1'];
    const props = { run, threadId: 'th-1', mimeType: 'text/x-ipython' };
    render(stage.set(<WaitingCard {...props} readOnly />));
    const card = screen.getByRole('alertdialog');
    expect(card.textContent).toContain('answered where this thread runs');
    expect(within(card).queryAllByRole('button')).toEqual([]);
  });

  it('keeps the indent of long lines: code does not wrap', () => {
    play(`if ready:\n    ${'total += 1; '.repeat(40)}`).tell();
    expect(editor().closest('.cm-lineWrapping')).toBeNull();
    act(() => button('Edit').click());
    expect(editor().closest('.cm-lineWrapping')).toBeNull();
  });

  it('shows characters that can not be seen, and names them', () => {
    play("a = 'x\u202ey'").tell();
    const card = screen.getByRole('alertdialog');
    expect(card.textContent).toContain("a = 'x⟨U+202E⟩y'");
    expect(card.textContent).toContain('U+202E in line 1');
  });
});

describe('an edit of a cell that waits', () => {
  /** An edit that was left open, drawn anew; the person is in a cell of their own. */
  function left(): { readonly redraw: (mimeType: string) => void } {
    const stage = new Stage();
    stage.stream.begin();
    stage.stream.make('run.proposed');
    stage.stream.make('approval.requested');
    stage.open();
    const run = stage.panel.outlook.state!.runs['run-1'];
    stage.panel.answers.setEdit(run, 'x = 2');
    stage.panel.answers.setReason(run, 'half a reason');
    const theirs = document.body.appendChild(document.createElement('input'));
    theirs.focus();
    const scene = (mimeType: string) =>
      stage.set(<Scene mimeType={mimeType} />);
    const { rerender } = render(scene('text/plain'));
    expect(editor().textContent).toBe('x = 2');
    expect(reason().value).toBe('half a reason');
    expect(document.activeElement).toBe(theirs);
    return { redraw: mimeType => rerender(scene(mimeType)) };
  }

  it('leaves the focus with the person when it is drawn after a reload', () => {
    left();
  });

  it('leaves the focus with the person, and stays as it is, when its language becomes known', () => {
    const { redraw } = left();
    const before = editor();
    const theirs = document.activeElement;
    redraw('text/x-ipython');
    expect(document.activeElement).toBe(theirs);
    expect(editor()).toBe(before);
  });

  it('takes the focus when it is begun, and is deaf if the focus was elsewhere', async () => {
    const stage = play().tell();
    later();
    act(() => button(THEIRS).focus());
    act(() => button('Edit').click());
    expect(document.activeElement).toBe(editor());
    await doing(() =>
      fireEvent.keyDown(editor(), { key: 'Enter', ctrlKey: true })
    );
    expect(stage.client.of('approval.answer')).toEqual([]);
  });
});
