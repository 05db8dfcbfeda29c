import type { QueuedMessage, Result } from '../../src/protocol/generated';
import { TARGET } from '../support/events';
import { Stage } from '../support/panel';

const QUEUED: QueuedMessage = {
  message_id: 'message-1',
  content: [{ type: 'text', text: 'and in colour' }],
  target: null,
  anchor: null,
  outline: null,
  when: 'after_turn'
};

/** A message whose answer is still to come. */
function sendingTo(stage: Stage): {
  sent: Promise<void>;
  reply: (result: Result) => void;
} {
  let reply: (result: Result) => void = () => undefined;
  stage.client.answers['message.send'] = new Promise<Result>(resolve => {
    reply = resolve;
  });
  return { sent: stage.panel.sender.send('one'), reply };
}

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
});
