import { Clipboard } from '@jupyterlab/apputils';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';

import type { Event } from '../../src/protocol/generated';
import type { Stream } from '../support/events';
import { doing, Stage, staged } from '../support/panel';

const CODE = 'total = df["a"].sum()\ntotal < 3 and "$b$"';
const ANSWER = `Add it up:\n\n\`\`\`python\n${CODE}\n\`\`\`\n\nThen look.`;

/** A thread with one finished turn that answered in these words. */
function play(
  text = ANSWER,
  settings: Partial<Extract<Event, { type: 'thread.created' }>> = {}
): Stage {
  const stage = new Stage();
  stage.stream.make('thread.created', settings);
  stage.stream.make('turn.started');
  stage.stream.make('text.delta', { text });
  stage.stream.make('turn.ended', { suggestions: [] });
  return stage.open().show();
}

const runButton = () => screen.findByRole('button', { name: 'Run this code' });
const copyButton = () =>
  screen.findByRole('button', { name: 'Copy this code' });
const noRun = () =>
  expect(screen.queryByRole('button', { name: 'Run this code' })).toBeNull();

/** The turn that a click on Run becomes, with its run. */
function letRun(stream: Stream): void {
  stream.make('turn.started', {
    turn_id: 'turn-2',
    content: [{ type: 'cell', code: CODE, purpose: '' }]
  });
  stream.make('run.proposed', {
    turn_id: 'turn-2',
    run_id: 'mine',
    code: CODE,
    purpose: '',
    by: 'user'
  });
  stream.make('approval.closed', { run_id: 'mine' });
  stream.intend('mine');
}

const lastTurn = () => screen.getAllByRole('article').at(-1)!;

describe('a block of code in an answer', () => {
  it('is sent to be run as it was written, with what the notebook looks like', async () => {
    const stage = play();
    const button = await runButton();
    await doing(() => fireEvent.click(button));
    expect(stage.client.of('message.send')).toEqual([
      {
        type: 'message.send',
        thread_id: 'th-1',
        content: [{ type: 'cell', code: CODE, purpose: '' }],
        anchor: 'mine'
      }
    ]);
  });

  it('is sent once by a double click and by a key that is held down, though it has run by then', async () => {
    const stage = play();
    stage.client.answers['message.send'] = {
      type: 'turn',
      turn_id: 'turn-1'
    } as never;
    const button = await runButton();
    await doing(() => fireEvent.click(button, { detail: 1 }));
    expect(button.hasAttribute('aria-disabled')).toBe(false);
    await doing(() => fireEvent.click(button, { detail: 2 }));
    const goesOn = fireEvent.keyDown(button, { key: 'Enter', repeat: true });
    expect(goesOn).toBe(false);
    expect(fireEvent.keyDown(button, { key: 'Tab', repeat: true })).toBe(true);
    expect(stage.client.of('message.send')).toHaveLength(1);
    await doing(() => fireEvent.click(button, { detail: 1 }));
    expect(stage.client.of('message.send')).toHaveLength(2);
  });

  it('leaves what the person is typing alone when it is run', async () => {
    const stage = play();
    stage.panel.drafts.setText('th-1', 'and then');
    const button = await runButton();
    await doing(() => fireEvent.click(button));
    expect(stage.panel.drafts.text('th-1')).toBe('and then');
  });

  it('says why when the server does not run it, and puts no code into the field', async () => {
    const stage = play();
    stage.client.answers['message.send'] = 'The kernel is gone.';
    const button = await runButton();
    await doing(() => fireEvent.click(button));
    expect(screen.getByRole('alert').textContent).toBe('The kernel is gone.');
    expect(stage.panel.drafts.text('th-1')).toBe('');
    expect(stage.panel.sender.pending).toEqual([]);
  });

  it('says on its way what is sent', async () => {
    const stage = play();
    stage.client.answers['message.send'] = new Promise(() => undefined);
    const button = await runButton();
    await doing(() => fireEvent.click(button));
    expect(screen.getByText('Run the cell from the answer')).toBeTruthy();
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it('can be copied as it was written', async () => {
    const copy = jest.spyOn(Clipboard, 'copyToSystem').mockImplementation();
    play();
    fireEvent.click(await copyButton());
    expect(copy).toHaveBeenCalledWith(CODE);
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy();
  });

  it.each([
    ['of another language', ANSWER.replace('python', 'sql')],
    ['of no language', ANSWER.replace('python', '')],
    ['that was cut off', ANSWER.slice(0, 50)],
    ['that is empty', '```python\n\n```']
  ])('can only be copied if it is one %s', async (_, text) => {
    play(text);
    await copyButton();
    noRun();
  });

  it('of a thread that only talks can only be copied, and says so', async () => {
    play(ANSWER, { mode: 'chat' });
    expect((await copyButton()).title).toContain('this thread only talks');
    noRun();
  });

  it('can only be copied where no kernel is known', async () => {
    play(ANSWER, { target: { notebook: null, language: null } as never });
    await copyButton();
    noRun();
  });

  it('does not run from here if it holds what can not be seen', async () => {
    const stage = play('```python\nx = 1 \u202E# 2\n```');
    const button = await runButton();
    expect(button.title).toContain('can not be seen');
    await doing(() => fireEvent.click(button));
    expect(stage.client.of('message.send')).toEqual([]);
  });

  it('is offered by a button that can be reached by keys', async () => {
    play();
    const button = await runButton();
    button.focus();
    expect(document.activeElement).toBe(button);
    expect(button.tagName).toBe('BUTTON');
  });
});

describe('a block of code in an answer that streams in', () => {
  it('is not offered before the answer goes on to something else', async () => {
    const stage = staged(stream => stream.make('text.delta', { text: ANSWER }));
    await screen.findByText('Then look.');
    noRun();
    stage.stream.make('reasoning.delta');
    stage.tell();
    await runButton();
  });

  it('is not run while the turn does, and says so', async () => {
    const stage = staged(stream => {
      stream.make('text.delta', { text: ANSWER });
      stream.make('reasoning.delta');
    });
    const button = await runButton();
    expect(button.title).toBe('Not now: a turn is running');
    await doing(() => fireEvent.click(button));
    expect(stage.client.of('message.send')).toEqual([]);
    stage.stream.make('turn.ended');
    stage.tell();
    expect((await runButton()).hasAttribute('aria-disabled')).toBe(false);
  });
});

describe('the turn of a cell that the person let run', () => {
  it('says what was asked, shows the run once and waits for no model', async () => {
    const stage = play();
    await runButton();
    letRun(stage.stream);
    stage.tell();
    const turn = within(lastTurn());
    expect(turn.getByText('Run the cell from the answer')).toBeTruthy();
    expect(lastTurn().textContent).not.toContain('Waiting for the model');
    expect(lastTurn().textContent).not.toContain('Edited by you');
    await waitFor(() =>
      expect(lastTurn().querySelectorAll('.jp-CaveLab-code')).toHaveLength(1)
    );
  });

  it('leaves what the model was given last as it was', async () => {
    staged(stream => {
      stream.make('context.sent');
      stream.make('turn.ended');
      letRun(stream);
    });
    await screen.findByText('Last sent: 1 variable, 2 cells');
  });

  it('is tried again as a run, not as words to the model', async () => {
    const stage = play();
    await runButton();
    letRun(stage.stream);
    stage.stream.make('run.ended', { run_id: 'mine' });
    stage.stream.make('turn.ended', {
      turn_id: 'turn-2',
      stop_reason: 'internal_error'
    });
    stage.tell();
    const again = screen.getByRole('button', { name: 'Try again' });
    await doing(() => fireEvent.click(again));
    const [{ content }] = stage.client.of('message.send');
    expect(content).toEqual([{ type: 'cell', code: CODE, purpose: '' }]);
  });

  it('is not what ↑ brings back, which is what was typed', async () => {
    const stage = play();
    await runButton();
    letRun(stage.stream);
    stage.tell();
    expect(stage.panel.outlook.lastMessage).toBe('Go on.');
  });

  it('can only be removed from the queue, and is not what ↑ takes out of it', async () => {
    const stage = play();
    await runButton();
    stage.stream.make('turn.started', { turn_id: 'turn-2' });
    stage.stream.make('message.queued', {
      content: [{ type: 'cell', code: CODE, purpose: '' }]
    });
    stage.tell();
    const queue = within(screen.getByRole('list', { name: /Queued/ }));
    expect(queue.getByText('Run the cell from the answer')).toBeTruthy();
    expect(queue.getAllByRole('button').map(one => one.title)).toEqual([
      'Remove it from the queue'
    ]);
    expect(stage.panel.outlook.lastQueued).toBeNull();
  });

  it('is not the tour’s, though the thread is', async () => {
    const stage = play(ANSWER, { model: 'cave-lab/tour' });
    await runButton();
    letRun(stage.stream);
    stage.tell();
    expect(lastTurn().textContent).not.toContain('not an AI');
  });
});
