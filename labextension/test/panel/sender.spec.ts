import type { QueuedMessage, Result } from '../../src/protocol/generated';
import { Stream, TARGET } from '../support/events';
import { doing, Stage } from '../support/panel';
import { DF, holding } from '../support/variables';

const QUEUED: QueuedMessage = {
  message_id: 'message-1',
  content: [{ type: 'text', text: 'and in colour' }],
  target: null,
  anchor: null,
  outline: null,
  when: 'after_turn'
};

/** An answer to a command that is still to come. */
function later(
  stage: Stage,
  command: keyof Stage['client']['answers']
): (result: Result) => void {
  let give: (result: Result) => void = () => undefined;
  stage.client.answers[command] = new Promise<Result>(resolve => {
    give = resolve;
  });
  return give;
}

/** A message whose answer is still to come. */
function sendingTo(stage: Stage): {
  sent: Promise<void>;
  reply: (result: Result) => void;
} {
  const reply = later(stage, 'message.send');
  return { sent: stage.panel.sender.send('one'), reply };
}

/** A stage where each look at a notebook says which one it was, and how many came before it. */
function looking(): Stage {
  const stage = new Stage();
  let looks = 0;
  stage.notebooks.look = (path?: string) => ({
    target: at(path ?? ''),
    anchor: `look ${++looks}`
  });
  return stage;
}

const at = (path: string) => ({
  ...TARGET,
  notebook: { root_id: 'root-1', path }
});

/** Another notebook comes to the front. */
function bringToFront(stage: Stage, path: string): void {
  stage.notebooks.front = {
    ...stage.notebooks.front!,
    path,
    target: at(path)
  };
  stage.notebooks.changed.emit();
}

/** A thread that is being made until `make` is called. */
function making(stage: Stage): { make: () => void } {
  const make = later(stage, 'thread.create');
  return { make: () => make({ type: 'thread', thread_id: 'th-1' }) };
}

/** A thread of b.ipynb, opened, whose events have not come; `tell` lets them come. */
function opening(): Stage {
  const stage = looking();
  stage.stream.make('thread.created', { target: at('b.ipynb') });
  stage.panel.shown.open('th-1');
  return stage;
}

const sentOn = (stage: Stage) =>
  stage.client
    .of('message.send')
    .map(({ target, anchor }) => [target?.notebook?.path, anchor]);

function begun(): Stage {
  const stage = new Stage();
  stage.stream.begin();
  return stage.open();
}

describe('the sender', () => {
  it('puts a queued message into the field when sending it now is refused', async () => {
    const stage = begun();
    stage.client.answers['message.send'] = 'The turn is over.';
    await stage.panel.sender.steer(QUEUED);
    expect(stage.client.of('message.unqueue')).toHaveLength(1);
    expect(stage.panel.drafts.text('th-1')).toBe('and in colour');
    expect(stage.panel.sender.problem).toBe('The turn is over.');
  });

  it('leaves the field alone when a queued message is sent now', async () => {
    const stage = begun();
    await stage.panel.sender.steer(QUEUED);
    expect(stage.client.of('message.send')).toHaveLength(1);
    expect(stage.panel.drafts.text('th-1')).toBe('');
  });

  it.each(['edit', 'steer'] as const)(
    'puts nothing into the field for a queued cell, which is still in its answer: %s',
    async how => {
      const stage = begun();
      stage.client.answers['message.send'] = 'The turn is over.';
      const cell = { type: 'cell', code: 'x', purpose: '' } as const;
      await stage.panel.sender[how]({ ...QUEUED, content: [cell] });
      expect(stage.client.of('message.unqueue')).toHaveLength(1);
      expect(stage.panel.drafts.text('th-1')).toBe('');
    }
  );

  it('stops the turn that a message became after Stop was pressed', async () => {
    const stage = begun();
    const { sent, reply } = sendingTo(stage);
    await stage.panel.sender.stop();
    expect(stage.client.of('turn.stop')).toHaveLength(1);
    reply({ type: 'turn', turn_id: 'turn-9' });
    await sent;
    expect(stage.client.of('turn.stop')).toHaveLength(2);
    expect(stage.panel.drafts.text('th-1')).toBe('');
  });

  it('does not send what a notebook of the same path under another root looks like', async () => {
    const stage = begun();
    const notebook = { root_id: 'root-2', path: 'a.ipynb' };
    stage.stream.make('thread.changed', { target: { ...TARGET, notebook } });
    stage.tell();
    await stage.panel.sender.send('one');
    expect(stage.client.of('message.send')).toEqual([
      {
        type: 'message.send',
        thread_id: 'th-1',
        content: [{ type: 'text', text: 'one' }]
      }
    ]);
  });

  it('sends a first message for the notebook as it was in front at Enter, not when the thread is made', async () => {
    const stage = looking();
    const { make } = making(stage);
    const sent = stage.panel.sender.send('one');
    bringToFront(stage, 'b.ipynb');
    make();
    await sent;
    expect(sentOn(stage)).toEqual([['a.ipynb', 'look 1']]);
    const [{ target }] = stage.client.of('thread.create');
    expect(target).toBe(TARGET);
  });

  it('sends a second message of a thread that is being made for the notebook of the first', async () => {
    const stage = looking();
    const { make } = making(stage);
    const one = stage.panel.sender.send('one');
    bringToFront(stage, 'b.ipynb');
    const two = stage.panel.sender.send('two');
    make();
    await Promise.all([one, two]);
    expect(sentOn(stage)).toEqual([
      ['a.ipynb', 'look 1'],
      ['a.ipynb', 'look 2']
    ]);
  });

  it('sends a message in a thread whose events have not come for its own notebook, not that in front', async () => {
    const stage = opening();
    const sent = stage.panel.sender.send('drop the rows');
    expect(stage.client.of('message.send')).toEqual([]);
    expect(stage.panel.sender.pending).toHaveLength(1);
    stage.tell();
    await sent;
    expect(sentOn(stage)).toEqual([['b.ipynb', 'look 2']]);
  });

  it('sends what a notebook looked like at Enter, though the thread’s events came later', async () => {
    const stage = opening();
    bringToFront(stage, 'b.ipynb');
    const sent = stage.panel.sender.send('drop the rows');
    bringToFront(stage, 'a.ipynb');
    stage.tell();
    await sent;
    expect(sentOn(stage)).toEqual([['b.ipynb', 'look 1']]);
  });

  it('does not send for an older path of a notebook while later events are on their way', async () => {
    const stage = opening();
    for (const event of stage.stream.events) {
      stage.client.received.emit(event);
    }
    const sent = stage.panel.sender.send('drop the rows');
    stage.stream.make('thread.changed', { target: at('renamed.ipynb') });
    stage.tell();
    await sent;
    expect(sentOn(stage)).toEqual([['renamed.ipynb', 'look 2']]);
  });

  it('sends with the last of a thread’s events, so that no later message overtakes it', async () => {
    const stage = opening();
    const sent = stage.panel.sender.send('one');
    stage.client.received.emit(stage.stream.events[0]);
    stage.client.received.emit({
      type: 'caught_up',
      thread_id: 'th-1',
      seq: 1,
      read_only: null
    });
    // No frame was drawn yet.
    await sent;
    expect(stage.client.of('message.send')).toHaveLength(1);
  });

  it('gives the text back at Stop while a thread’s events have not come', async () => {
    const stage = opening();
    const sent = stage.panel.sender.send('one');
    await stage.panel.sender.stop();
    await sent;
    expect(stage.client.of('message.send')).toEqual([]);
    expect(stage.panel.drafts.text('th-1')).toBe('one');
  });

  it('gives the text back and says why when a thread can’t be opened', async () => {
    const stage = looking();
    stage.client.answers['thread.open'] = 'This thread is no longer there.';
    stage.panel.shown.open('th-1');
    const sent = stage.panel.sender.send('one');
    await doing(() => undefined);
    stage.tell();
    await sent;
    expect(stage.panel.sender.problem).toBe('This thread is no longer there.');
    expect(stage.panel.drafts.text('th-1')).toBe('one');
  });

  it('sends for the notebook in front if the thread is known to have none', async () => {
    const stage = looking();
    const target = { ...TARGET, notebook: null };
    stage.stream.make('thread.created', { target });
    stage.open();
    await stage.panel.sender.send('one');
    expect(sentOn(stage)).toEqual([['a.ipynb', 'look 1']]);
  });

  it('lets a message of another thread be when Stop is pressed in this one', async () => {
    const stage = begun();
    const { sent, reply } = sendingTo(stage);
    stage.panel.shown.open('th-2');
    await stage.panel.sender.stop();
    reply({ type: 'turn', turn_id: 'turn-9' });
    await sent;
    expect(stage.client.of('turn.stop').map(one => one.thread_id)).toEqual([
      'th-2'
    ]);
  });

  describe('with a variable that the message names', () => {
    const NAMED = [
      { type: 'text', text: 'plot ' },
      { type: 'mention', kind: 'variable', name: 'df' }
    ];
    const contents = (stage: Stage) =>
      stage.client.of('message.send').map(({ content }) => content);

    it('sends a mention, also in the first message of a thread', async () => {
      const stage = new Stage();
      const thread: Result = { type: 'thread', thread_id: 'th-1' };
      stage.client.answers['thread.create'] = thread;
      stage.client.answers['variables.look'] = holding(DF);
      await stage.panel.sender.send('plot @df');
      expect(contents(stage)).toEqual([NAMED]);
    });

    it('shows the message while the kernel is asked what it names', async () => {
      const stage = begun();
      const give = later(stage, 'variables.look');
      const sent = stage.panel.sender.send('plot @df');
      expect(stage.panel.sender.pending).toMatchObject([
        { content: [{ text: 'plot @df' }] }
      ]);
      give(holding(DF));
      await sent;
      expect(stage.panel.sender.pending).toMatchObject([{ content: NAMED }]);
    });

    it('lets no later message overtake it while the kernel is asked', async () => {
      const stage = begun();
      const give = later(stage, 'variables.look');
      const first = stage.panel.sender.send('plot @df');
      const second = stage.panel.sender.send('then save it');
      expect(contents(stage)).toEqual([]);
      give(holding(DF));
      await Promise.all([first, second]);
      expect(contents(stage)).toEqual([
        NAMED,
        [{ type: 'text', text: 'then save it' }]
      ]);
    });

    it('lets no cell overtake it while the kernel is asked', async () => {
      const stage = begun();
      const give = later(stage, 'variables.look');
      const first = stage.panel.sender.send('plot @df');
      const second = stage.panel.sender.run('save()');
      expect(contents(stage)).toEqual([]);
      give(holding(DF));
      await Promise.all([first, second]);
      expect(contents(stage)).toEqual([
        NAMED,
        [{ type: 'cell', code: 'save()', purpose: '' }]
      ]);
    });

    it('keeps no message of another thread waiting while the kernel is asked', async () => {
      const stage = begun();
      const give = later(stage, 'variables.look');
      const first = stage.panel.sender.send('plot @df');
      const other = new Stream('th-2').begin();
      stage.panel.shown.open('th-2');
      other.events.forEach(event => stage.client.received.emit(event));
      stage.client.received.emit({
        type: 'caught_up',
        thread_id: 'th-2',
        seq: other.events.length,
        read_only: null
      });
      await stage.panel.sender.send('save it');
      expect(contents(stage)).toEqual([[{ type: 'text', text: 'save it' }]]);
      give(holding(DF));
      await first;
      expect(stage.client.of('message.send').map(one => one.thread_id)).toEqual(
        ['th-2', 'th-1']
      );
    });

    it('sends it as text where the kernel does not answer', async () => {
      const stage = begun();
      stage.client.answers['variables.look'] = 'The kernel is silent.';
      await stage.panel.sender.send('plot @df');
      expect(contents(stage)).toEqual([[{ type: 'text', text: 'plot @df' }]]);
      expect(stage.panel.sender.problem).toBeNull();
    });

    it('sends a mention again when a queued message was taken back', async () => {
      const stage = begun();
      stage.client.answers['variables.look'] = holding(DF);
      await stage.panel.sender.edit({
        ...QUEUED,
        content: [
          { type: 'text', text: 'plot ' },
          { type: 'mention', kind: 'variable', name: 'df' }
        ]
      });
      expect(stage.panel.drafts.text('th-1')).toBe('plot @df');
      await stage.panel.sender.send(stage.panel.drafts.text('th-1'));
      expect(contents(stage)).toEqual([NAMED]);
    });
  });
});
