import { parseFrame } from '../../src/protocol/guards';
import { Stream, BODIES } from '../support/events';
import { HELLO } from '../support/server';

const ID = { thread_id: 'th-1' };

describe('what comes over the wire', () => {
  it.each(Object.keys(BODIES) as (keyof typeof BODIES)[])(
    'is a frame when it is an event of type %s',
    type => {
      const event = new Stream().make(type);
      expect(parseFrame(JSON.stringify(event))).toEqual(event);
    }
  );

  it.each([
    HELLO,
    { ...HELLO, protocol_version: 2, unheard_of: true },
    { type: 'kernel.state', ...ID, state: 'idle' },
    { type: 'writer.lease', ...ID, path: 'a.ipynb', holder: null },
    { type: 'caught_up', ...ID, seq: 1, read_only: null },
    { type: 'thread.fault', ...ID, code: 'disk', text: 'Full.' },
    { type: 'command.ok', command_id: 'c', result: null },
    { type: 'command.ok', command_id: 'c', result: { type: 'turn' } },
    { type: 'command.rejected', command_id: null, code: 'x', message: 'No.' }
  ])('is a frame when it is %j', frame => {
    expect(parseFrame(JSON.stringify(frame))).toEqual(frame);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"type":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an object without a type', '{}'],
    ['a type that nobody knows', '{"type":"thread.exploded","seq":1}'],
    ['a type that objects have by themselves', '{"type":"constructor"}'],
    ['a hello without a version', '{"type":"hello"}'],
    ['a signal without its thread', '{"type":"caught_up","seq":1}'],
    ['a reply without its command', '{"type":"command.ok","result":null}'],
    ['a reply with half a result', '{"type":"command.ok","command_id":"c"}'],
    ['a refusal without a reason', '{"type":"command.rejected"}'],
    ['a reply of one word', '"command.ok"']
  ])('is no frame when it is %s', (_, text) => {
    expect(parseFrame(text)).toBeNull();
  });

  it.each([0, -1, 1.5, '1', null, 2 ** 53])(
    'is no event when its number is %j',
    seq => {
      const event = { ...new Stream().make('text.delta'), seq };
      expect(parseFrame(JSON.stringify(event))).toBeNull();
    }
  );
});
