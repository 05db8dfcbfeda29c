import type { Command } from '../../src/protocol/commands.generated';
import { LIMITS } from '../../src/state/limits';
import { Outbox } from '../../src/state/outbox';
import { refusal } from '../../src/state/refusals';

type Type = 'turn.stop' | 'thread.open' | 'thread.close' | 'writer.claim';

function command(command_id: string, type: Type = 'turn.stop'): Command {
  return { type, command_id, thread_id: 'th-1' };
}

const idsOf = (texts: readonly string[]): string[] =>
  texts.map(text => (JSON.parse(text) as Command).command_id);

/** What became of a promise: a value, the code it was rejected with, or nothing yet. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([
    promise.catch((error: unknown) => (error as { code: string }).code),
    Promise.resolve('open')
  ]);
}

describe('the commands that wait', () => {
  it('are taken once, in the order in which they came', () => {
    const outbox = new Outbox();
    void outbox.add(command('1'));
    void outbox.add(command('2'));
    expect(idsOf(outbox.take())).toEqual(['1', '2']);
    expect(outbox.take()).toEqual([]);
  });

  it('get one reply each', async () => {
    const outbox = new Outbox();
    const first = outbox.add(command('1'));
    const second = outbox.add(command('2'));
    const result = { type: 'turn' as const, turn_id: 'turn-1' };
    expect(outbox.settle({ type: 'command.ok', command_id: '1', result })).toBe(
      true
    );
    expect(
      outbox.settle({ type: 'command.ok', command_id: '1', result: null })
    ).toBe(false);
    outbox.settle({
      type: 'command.rejected',
      command_id: '2',
      code: 'no',
      message: 'Not now.'
    });
    await expect(first).resolves.toEqual(result);
    await expect(second).rejects.toThrow('Not now.');
  });

  it('go out again under the same id when the link was lost', () => {
    const outbox = new Outbox();
    void outbox.add(command('1'));
    const [text] = outbox.take();
    outbox.linkLost();
    expect(outbox.take()).toEqual([text]);
  });

  it('do not go out again if they belonged to the lost connection', async () => {
    const outbox = new Outbox();
    const open = outbox.add(command('1', 'thread.open'));
    const claim = outbox.add(command('2', 'writer.claim'));
    const close = outbox.add(command('3', 'thread.close'));
    outbox.take();
    outbox.linkLost();
    expect(outbox.take()).toEqual([]);
    await expect(open).rejects.toMatchObject({ code: 'link_lost' });
    await expect(claim).rejects.toMatchObject({ code: 'link_lost' });
    await expect(close).resolves.toBeNull();
  });

  it('go out later if the link was lost before they were sent', async () => {
    const outbox = new Outbox();
    const open = outbox.add(command('1', 'thread.open'));
    outbox.linkLost();
    expect(await outcome(open)).toBe('open');
    expect(idsOf(outbox.take())).toEqual(['1']);
  });

  it('are given up together, or only those that were sent', async () => {
    const outbox = new Outbox();
    const sent = outbox.add(command('1'));
    outbox.take();
    const kept = outbox.add(command('2'));
    outbox.rejectAll(refusal('refused'), 'sent');
    await expect(sent).rejects.toMatchObject({ code: 'refused' });
    expect(await outcome(kept)).toBe('open');
    outbox.rejectAll(refusal('closed'));
    await expect(kept).rejects.toMatchObject({ code: 'closed' });
  });

  it('are no more than a bounded number', async () => {
    const outbox = new Outbox();
    for (let n = 0; n < LIMITS.waitingCommands; n++) {
      void outbox.add(command(String(n)));
    }
    const refused = outbox.add(command('more'));
    await expect(refused).rejects.toMatchObject({ code: 'too_many_waiting' });
    outbox.settle({ type: 'command.ok', command_id: '0', result: null });
    expect(await outcome(outbox.add(command('next')))).toBe('open');
  });

  it('are no larger than the server takes, counted in bytes', async () => {
    const say = (text: string): Command => ({
      type: 'stdin.answer',
      command_id: '1',
      thread_id: 'th-1',
      run_id: 'run-1',
      value: text
    });
    const half = LIMITS.frameBytes / 2;
    const fits = new Outbox().add(say('x'.repeat(half)));
    expect(await outcome(fits)).toBe('open');
    const refused = new Outbox().add(say('é'.repeat(half)));
    await expect(refused).rejects.toMatchObject({ code: 'frame_too_big' });
  });
});
