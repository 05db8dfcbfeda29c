import type { OutputEvent } from '../../src/state/reduceOutputs';
import { checkCases, run, type ICase } from '../support/cases';
import { BODIES, type Stream } from '../support/events';

const printed = (stream: Stream): void => {
  stream.send('run-1').make('output.added');
};

const CASES: Record<OutputEvent['type'], ICase[]> = {
  'output.added': [
    {
      before: printed,
      event: stream => stream.make('output.added', { index: 1 }),
      see: state => run(state).outputs.length,
      becomes: 2
    },
    {
      before: printed,
      event: stream => stream.make('output.added', { index: 0 }),
      see: state => run(state).outputs.length,
      becomes: 1
    }
  ],
  'output.appended': [
    {
      before: printed,
      event: stream => stream.make('output.appended'),
      see: state => run(state).outputs,
      becomes: [{ output_type: 'stream', name: 'stdout', text: 'ab' }]
    },
    {
      before: printed,
      event: stream => stream.make('output.appended', { index: 1 }),
      see: state => run(state).outputs.length,
      becomes: 1
    }
  ],
  'output.updated': [
    {
      before: printed,
      event: stream => stream.make('output.updated'),
      see: state => run(state).outputs,
      becomes: [BODIES['output.updated'].output]
    },
    {
      before: printed,
      event: stream => stream.make('output.updated', { index: 1 }),
      see: state => run(state).outputs.length,
      becomes: 1
    }
  ],
  'output.cleared': [
    {
      before: printed,
      event: stream => stream.make('output.cleared'),
      see: state => run(state).outputs,
      becomes: []
    }
  ],
  'output.truncated': [
    {
      before: printed,
      event: stream => stream.make('output.truncated'),
      see: state => [run(state).truncated, run(state).outputs.length],
      becomes: ['Cut at 200 kB.', 1]
    }
  ]
};

describe('an event of what a run puts out', () => checkCases(CASES));
