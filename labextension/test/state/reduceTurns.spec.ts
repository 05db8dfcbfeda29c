import { NO_USAGE } from '../../src/state/blank';
import type { TurnEvent } from '../../src/state/reduceTurns';
import { checkCases, run, turn, type ICase } from '../support/cases';
import { TARGET } from '../support/events';

const CASES: Record<TurnEvent['type'], ICase[]> = {
  'turn.started': [
    {
      event: stream =>
        stream.make('turn.started', {
          turn_id: 'turn-2',
          message_id: 'm-1',
          origin: 'api'
        }),
      see: state => [state.turns.length, turn(state)],
      becomes: [
        2,
        {
          turn_id: 'turn-2',
          parent_turn_id: null,
          message_id: 'm-1',
          content: [{ type: 'text', text: 'Go on.' }],
          target: TARGET,
          anchor: 'mine',
          outline: null,
          started_at: '2026-01-01T00:00:03.000Z',
          origin: 'api',
          seen: null,
          items: [],
          calls: [],
          stop_reason: null,
          usage: NO_USAGE,
          suggestions: [],
          ended_at: null
        }
      ]
    }
  ],
  'variables.seen': [
    {
      event: stream => stream.make('variables.seen', { total: 4 }),
      see: state => turn(state).seen,
      becomes: {
        generation: '1-a',
        variables: [],
        total: 4,
        omitted: {},
        unavailable: null,
        age_seconds: 0,
        changes: [],
        changes_complete: true,
        changes_lost: 0,
        mark: 3
      }
    }
  ],
  'context.sent': [
    {
      event: stream => stream.make('context.sent', { format: 'fences' }),
      see: state => turn(state).calls,
      becomes: [
        {
          call: 1,
          model: 'some/model',
          messages: ['b1'],
          variables: 1,
          cells: 2,
          estimated_tokens: 300,
          outline: null,
          format: 'fences',
          kept: null,
          usage: null
        }
      ]
    }
  ],
  'text.delta': [
    {
      before: stream => stream.make('text.delta'),
      event: stream => stream.make('text.delta', { text: ', you' }),
      see: state => turn(state).items,
      becomes: [{ type: 'text', call: 1, text: 'Hello, you' }]
    },
    {
      before: stream => stream.make('text.delta'),
      event: stream => stream.make('text.delta', { call: 2 }),
      see: state => turn(state).items.length,
      becomes: 2
    }
  ],
  'reasoning.delta': [
    {
      before: stream => stream.make('text.delta'),
      event: stream => stream.make('reasoning.delta'),
      see: state => turn(state).items,
      becomes: [
        { type: 'text', call: 1, text: 'Hello' },
        { type: 'reasoning', call: 1, text: 'Hm' }
      ]
    }
  ],
  'action.delta': [
    {
      event: stream => stream.make('action.delta'),
      see: state => [turn(state).items, run(state).phase, run(state).code],
      becomes: [[{ type: 'run', call: 1, run_id: 'run-1' }], 'writing', 'x = ']
    },
    {
      before: stream => stream.make('action.delta'),
      event: stream => stream.make('action.delta', { delta: '1' }),
      see: state => [turn(state).items.length, run(state).code],
      becomes: [1, 'x = 1']
    }
  ],
  'action.refused': [
    {
      event: stream => stream.make('action.refused'),
      see: state => turn(state).items,
      becomes: [
        {
          type: 'refused',
          call: 1,
          code: 'two_actions',
          text: 'One at a time.'
        }
      ]
    }
  ],
  'model.retrying': [
    {
      event: stream => stream.make('model.retrying'),
      see: state => turn(state).items,
      becomes: [
        { type: 'retry', call: 1, attempt: 1, wait_seconds: 0.5, text: 'Busy.' }
      ]
    }
  ],
  'variables.looked': [
    {
      event: stream => stream.make('variables.looked'),
      see: state => turn(state).items,
      becomes: [
        {
          type: 'look',
          call: 1,
          by: 'model',
          names: ['df'],
          detail: 'head',
          answers: [],
          privacy: 'standard'
        }
      ]
    }
  ],
  'context.compacted': [
    {
      event: stream => stream.make('context.compacted'),
      see: state => turn(state).items,
      becomes: [
        {
          type: 'compacted',
          call: 1,
          tier: 'stubs',
          reason: 'window',
          before_tokens: 9,
          after_tokens: 4,
          up_to_turn: 'turn-1',
          up_to_call: 2,
          summary: null,
          privacy: 'full',
          generation: '1-a',
          variables: [],
          variables_total: 0
        }
      ]
    }
  ],
  'reply.kept': [
    {
      name: 'what a provider wants back is kept with the call that it came in',
      before: stream => {
        stream.make('context.sent');
        stream.make('context.sent', { call: 2 });
      },
      event: stream => stream.make('reply.kept', { call: 2 }),
      see: state => turn(state).calls.map(call => call.kept),
      becomes: [null, 'b2']
    },
    {
      name: 'what is kept of a reply shows nowhere',
      before: stream => stream.make('text.delta'),
      event: stream => stream.make('reply.kept'),
      see: state => turn(state).items.length,
      becomes: 1
    }
  ],
  usage: [
    {
      before: stream => stream.make('context.sent'),
      event: stream => stream.make('usage'),
      see: state => [
        turn(state).calls[0].usage,
        turn(state).usage,
        state.usage
      ],
      becomes: Array.from({ length: 3 }, () => ({
        calls: 1,
        prompt: 100,
        completion: 10,
        cached: 50,
        cost: 0.25,
        price_source: 'list',
        runs: 0,
        estimated: false,
        unpriced: 0,
        seconds: 2
      }))
    },
    {
      name: 'one call counted here makes the sum an estimate',
      before: stream => stream.make('usage', { estimated: true }),
      event: stream => stream.make('usage'),
      see: state => [turn(state).usage.estimated, state.usage.estimated],
      becomes: [true, true]
    },
    {
      name: 'calls without a price are counted beside the money',
      before: stream => stream.make('usage', { cost: null }),
      event: stream => stream.make('usage'),
      see: ({ usage }) => [usage.cost, usage.unpriced],
      becomes: [0.25, 1]
    },
    {
      name: 'seconds of all calls are added',
      before: stream => stream.make('usage'),
      event: stream => stream.make('usage', { seconds: 0.5 }),
      see: state => [turn(state).usage.seconds, state.usage.seconds],
      becomes: [2.5, 2.5]
    },
    {
      before: stream => stream.make('usage', { cost: null }),
      event: stream => stream.make('usage', { price_source: '' }),
      see: ({ usage }) => [usage.calls, usage.cost, usage.price_source],
      becomes: [2, 0.25, 'list']
    }
  ],
  'turn.ended': [
    {
      event: stream => stream.make('turn.ended'),
      see: ({ turns: [{ stop_reason, suggestions, ended_at }] }) => [
        stop_reason,
        suggestions,
        ended_at
      ],
      becomes: ['end_turn', ['Plot it'], '2026-01-01T00:00:03.000Z']
    }
  ]
};

describe('an event of a turn', () => checkCases(CASES));
