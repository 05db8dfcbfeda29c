import { NO_USAGE } from '../../src/state/blank';
import type { ThreadEvent } from '../../src/state/reduceThread';
import { checkCases, turn, type ICase } from '../support/cases';
import { BODIES } from '../support/events';

const CASES: Record<ThreadEvent['type'], ICase[]> = {
  'thread.changed': [
    {
      event: stream =>
        stream.make('thread.changed', { title: '', mode: 'auto' }),
      see: state => [state.title, state.mode, state.privacy, state.deleted],
      becomes: ['', 'auto', 'standard', false]
    },
    {
      name: 'an extended budget is counted from what was used by then',
      before: stream => {
        stream.make('usage');
        stream.make('thread.changed', { budget_extended: true });
      },
      event: stream => stream.make('usage'),
      see: state => [
        state.usage.prompt,
        state.budget_from.prompt,
        state.budget_from.cost
      ],
      becomes: [200, 100, 0.25]
    },
    {
      name: 'another change of the thread leaves its budget as it is',
      before: stream => stream.make('usage'),
      event: stream => stream.make('thread.changed', { mode: 'auto' }),
      see: state => state.budget_from,
      becomes: NO_USAGE
    }
  ],
  'kernel.changed': [
    {
      event: stream => stream.make('kernel.changed'),
      see: state => [state.generation, state.loss],
      becomes: ['1-a', null]
    },
    {
      event: stream =>
        stream.make('kernel.changed', {
          reason: 'restarted',
          generation: null,
          lost: ['df'],
          lost_total: 3
        }),
      see: state => [state.generation, state.loss],
      becomes: [
        null,
        {
          reason: 'restarted',
          at: '2026-01-01T00:00:03.000Z',
          lost: ['df'],
          lost_total: 3
        }
      ]
    },
    {
      name: 'a memory that held nothing is no loss',
      event: stream =>
        stream.make('kernel.changed', {
          reason: 'shut_down',
          generation: null,
          lost_total: 0
        }),
      see: state => [state.generation, state.loss],
      becomes: [null, null]
    }
  ],
  'message.queued': [
    {
      event: stream => stream.make('message.queued'),
      see: state => state.queue,
      becomes: [BODIES['message.queued']]
    }
  ],
  'message.unqueued': [
    {
      before: stream => stream.make('message.queued'),
      event: stream => stream.make('message.unqueued'),
      see: state => [state.queue, turn(state).items],
      becomes: [[], []]
    },
    {
      before: stream => stream.make('message.queued'),
      event: stream =>
        stream.make('message.unqueued', {
          reason: 'steered',
          turn_id: 'turn-1'
        }),
      see: state => [state.queue, turn(state).items],
      becomes: [
        [],
        [
          {
            type: 'steer',
            message_id: 'm-1',
            content: [{ type: 'text', text: 'And then?' }]
          }
        ]
      ]
    },
    {
      event: stream =>
        stream.make('message.unqueued', {
          reason: 'steered',
          turn_id: 'turn-1'
        }),
      see: state => turn(state).items,
      becomes: []
    }
  ],
  notice: [
    {
      event: stream => stream.make('notice'),
      see: state => [state.notices.length, turn(state).items.length],
      becomes: [1, 0]
    },
    {
      event: stream => stream.make('notice', { turn_id: 'turn-1' }),
      see: state => [state.notices, turn(state).items],
      becomes: [
        [],
        [
          {
            type: 'notice',
            level: 'info',
            code: 'hint',
            text: 'A sentence.',
            detail: null,
            actions: ['go_on']
          }
        ]
      ]
    }
  ]
};

describe('an event of the thread', () => checkCases(CASES));
