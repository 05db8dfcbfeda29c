import type { OutputEvent } from '../../src/state/reduceOutputs';
import type { RunEvent } from '../../src/state/reduceRuns';
import { checkCases, run, turn, type ICase } from '../support/cases';
import type { Stream } from '../support/events';

const proposed = (stream: Stream): unknown => stream.make('run.proposed');
const sent = (stream: Stream): unknown => stream.send('run-1');

const CASES: Record<Exclude<RunEvent['type'], OutputEvent['type']>, ICase[]> = {
  'run.proposed': [
    {
      before: stream => stream.make('action.delta', { delta: 'half' }),
      event: stream => stream.make('run.proposed', { repairs: 'run-0' }),
      see: state => [
        turn(state).items.length,
        run(state).phase,
        run(state).code,
        run(state).repairs
      ],
      becomes: [1, 'proposed', 'x = 1', 'run-0']
    },
    {
      event: stream => stream.make('run.proposed', { by: 'user' }),
      see: state => [turn(state).items.length, run(state).by],
      becomes: [1, 'user']
    }
  ],
  'approval.requested': [
    {
      before: proposed,
      event: stream => stream.make('approval.requested'),
      see: state => [run(state).phase, run(state).approval],
      becomes: [
        'waiting',
        {
          approval_id: 'ap-1',
          sha256: 'f'.repeat(64),
          reasons: ['mode'],
          outcome: null,
          reason: null,
          allowed_by: null
        }
      ]
    }
  ],
  'approval.closed': [
    {
      before: proposed,
      event: stream =>
        stream.make('approval.closed', {
          outcome: 'allowed_by',
          allowed_by: 'mode:auto'
        }),
      see: state => [
        run(state).phase,
        run(state).approval?.allowed_by,
        run(state).approval?.reasons
      ],
      becomes: ['queued', 'mode:auto', []]
    },
    {
      before: stream => {
        proposed(stream);
        stream.make('approval.requested');
      },
      event: stream =>
        stream.make('approval.closed', { outcome: 'rejected', reason: 'No' }),
      see: state => [run(state).phase, run(state).approval?.reason],
      becomes: ['waiting', 'No']
    }
  ],
  'run.intended': [
    {
      before: proposed,
      event: stream => stream.make('run.intended'),
      see: state => [
        run(state).phase,
        run(state).cell_id,
        run(state).generation,
        run(state).after,
        turn(state).usage.runs,
        state.usage.runs
      ],
      becomes: ['intended', 'cell-1', '1-a', 'mine', 1, 1]
    },
    {
      event: stream => stream.make('run.intended'),
      see: state => [state.runs, state.usage.runs],
      becomes: [{}, 0]
    }
  ],
  'run.started': [
    {
      before: sent,
      event: stream => stream.make('run.started'),
      see: state => [
        run(state).phase,
        run(state).execution_count,
        run(state).started_at
      ],
      becomes: ['running', 7, '2026-01-01T00:00:07.000Z']
    }
  ],
  'stdin.requested': [
    {
      before: sent,
      event: stream => stream.make('stdin.requested'),
      see: state => run(state).stdin,
      becomes: { prompt: 'Name? ', password: false, question: 1 }
    }
  ],
  'stdin.closed': [
    {
      before: stream => {
        sent(stream);
        stream.make('stdin.requested');
      },
      event: stream => stream.make('stdin.closed'),
      see: state => run(state).stdin,
      becomes: null
    }
  ],
  'run.ended': [
    {
      before: stream => {
        sent(stream);
        stream.make('run.started');
        stream.make('stdin.requested');
      },
      event: stream =>
        stream.make('run.ended', {
          status: 'error',
          error: { ename: 'KeyError', evalue: "'x'" }
        }),
      see: state => [
        run(state).phase,
        run(state).status,
        run(state).execution_count,
        run(state).duration_seconds,
        run(state).error?.ename,
        run(state).variables_complete,
        run(state).stdin
      ],
      becomes: ['ended', 'error', 7, 1.5, 'KeyError', true, null]
    },
    {
      name: 'the seconds of a run are added to its turn and its thread',
      before: stream => {
        stream.make('usage');
        sent(stream);
      },
      event: stream => stream.make('run.ended'),
      see: state => [turn(state).usage.seconds, state.usage.seconds],
      becomes: [3.5, 3.5]
    },
    {
      name: 'a run without a duration adds no seconds, and no unknown price',
      before: sent,
      event: stream => stream.make('run.ended', { duration_seconds: null }),
      see: ({ usage }) => [usage.seconds, usage.unpriced, usage.cost],
      becomes: [0, 0, null]
    }
  ],
  'cell.placed': [
    {
      before: sent,
      event: stream => stream.make('cell.placed'),
      see: state => run(state).placed,
      becomes: 'in_document'
    },
    {
      before: stream => {
        sent(stream);
        stream.make('cell.placed', { level: 'in_file' });
      },
      event: stream => stream.make('cell.placed'),
      see: state => run(state).placed,
      becomes: 'in_file'
    },
    {
      name: 'a cell that was cut and pasted is not deleted, and maybe in the file no more',
      before: stream => {
        sent(stream);
        stream.make('cell.placed', { level: 'in_file' });
        stream.make('cell.reviewed', { verdict: 'deleted_by_user' });
      },
      event: stream => stream.make('cell.placed'),
      see: state => [run(state).placed, run(state).verdict],
      becomes: ['in_document', null]
    },
    {
      name: 'a cell that came back after an undo may be in the file no more',
      before: stream => {
        sent(stream);
        stream.make('cell.placed', { level: 'in_file' });
        stream.make('cell.reviewed', { verdict: 'undone' });
      },
      event: stream => stream.make('cell.placed'),
      see: state => [run(state).placed, run(state).verdict],
      becomes: ['in_document', 'undone']
    },
    {
      name: 'a cell that is placed again stays kept',
      before: stream => {
        sent(stream);
        stream.make('cell.reviewed', { verdict: 'kept' });
      },
      event: stream => stream.make('cell.placed'),
      see: state => run(state).verdict,
      becomes: 'kept'
    }
  ],
  'cell.reviewed': [
    {
      before: sent,
      event: stream => stream.make('cell.reviewed', { verdict: 'undone' }),
      see: state => run(state).verdict,
      becomes: 'undone'
    }
  ]
};

describe('an event of a run', () => checkCases(CASES));
