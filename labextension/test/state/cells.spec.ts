import { desiredCells, type DesiredCell } from '../../src/state/cells';
import { replay } from '../../src/state/reducer';
import { run } from '../support/cases';
import { Stream, TARGET } from '../support/events';

function cells(stream: Stream): DesiredCell[] {
  return desiredCells(replay(stream.events)!);
}

const ids = (stream: Stream): string[] =>
  cells(stream).map(cell => cell.cellId);

/** A turn with a failed run, and its repair as far as `repair` takes it. */
function failed(): Stream {
  return new Stream().begin().send('bad').fail('bad');
}

const CHANGED = {
  variables: [{ name: 'df', kind: 'added' as const, before: null, after: null }]
};

describe('a cell', () => {
  it('is not wanted before its run is about to go out', () => {
    const stream = new Stream().begin();
    stream.make('action.delta');
    expect(ids(stream)).toEqual([]);
    stream.make('run.proposed');
    stream.make('approval.requested');
    stream.make('approval.closed');
    expect(ids(stream)).toEqual([]);
    stream.intend('run-1');
    expect(ids(stream)).toEqual(['cell-run-1']);
  });

  it('is described as its run stands', () => {
    const stream = new Stream().begin();
    stream.make('context.sent');
    stream.send('run-1');
    stream.make('run.started');
    stream.make('output.added');
    const [running] = cells(stream);
    expect(running).toEqual({
      runId: 'run-1',
      cellId: 'cell-run-1',
      turnId: 'turn-1',
      notebook: TARGET.notebook,
      code: 'x = 1',
      outputs: [{ output_type: 'stream', name: 'stdout', text: 'a' }],
      truncated: null,
      executionCount: 7,
      madeAt: Date.parse('2026-01-01T00:00:08Z'),
      running: true,
      ended: false,
      status: null,
      after: 'mine',
      replaces: null,
      supersedes: [],
      placed: null,
      verdict: null,
      trusted: true,
      metadata: {
        thread: 'th-1',
        turn: 'turn-1',
        run: 'run-1',
        cell_id: 'cell-run-1',
        model: 'some/model',
        sha256: 'f'.repeat(64),
        approved_by: 'person',
        reviewed: false
      }
    });
    stream.make('output.truncated');
    stream.make('run.ended');
    stream.make('cell.placed', { level: 'in_file' });
    stream.make('cell.reviewed');
    const [ended] = cells(stream);
    expect(ended).toMatchObject({
      running: false,
      ended: true,
      status: 'ok',
      truncated: 'Cut at 200 kB.',
      placed: 'in_file',
      verdict: 'kept',
      metadata: { reviewed: true }
    });
  });

  it('keeps a large output as a reference', () => {
    const blob = {
      output_type: 'blob' as const,
      blob: 'b'.repeat(64),
      of: 'display_data' as const,
      size: 9e6,
      mime_types: ['image/png']
    };
    const stream = new Stream().begin().send('run-1');
    stream.make('output.added', { output: blob });
    const state = replay(stream.events)!;
    expect(run(state).outputs).toEqual([blob]);
    expect(desiredCells(state)[0].outputs).toBe(run(state).outputs);
  });

  it('is not wanted for a scratch run, nor for one without a cell', () => {
    const stream = new Stream().begin().send('quiet', { scratch: true });
    stream.make('run.proposed', { run_id: 'bare' });
    stream.intend('bare', { cell_id: null });
    expect(ids(stream)).toEqual([]);
  });

  it('stays wanted with the verdict that the person gave', () => {
    const stream = new Stream().begin().send('run-1');
    stream.make('cell.reviewed', { verdict: 'deleted_by_user' });
    expect(cells(stream)[0].verdict).toBe('deleted_by_user');
  });

  it('comes in the order in which the cells were written, turn by turn', () => {
    const stream = new Stream().begin().send('one').send('two');
    stream.make('turn.ended');
    stream.make('turn.started', { turn_id: 'turn-2' });
    stream.send('three', { turn_id: 'turn-2' });
    expect(ids(stream)).toEqual(['cell-one', 'cell-two', 'cell-three']);
  });
});

describe('a cell is trusted', () => {
  it('when a mode allowed its run, which its metadata names', () => {
    const stream = new Stream().begin();
    stream.make('run.proposed');
    stream.make('approval.closed', {
      outcome: 'allowed_by',
      allowed_by: 'mode:auto'
    });
    stream.intend('run-1');
    const [{ trusted, metadata }] = cells(stream);
    expect([trusted, metadata.approved_by]).toEqual([true, 'mode:auto']);
  });

  it('when the person edited it before it ran', () => {
    const stream = new Stream().begin();
    stream.make('run.proposed', { run_id: 'as-written' });
    stream.make('approval.requested', { run_id: 'as-written' });
    stream.make('run.proposed', { by: 'user', replaces: 'as-written' });
    stream.make('approval.closed', {
      run_id: 'as-written',
      outcome: 'run_edited'
    });
    stream.intend('run-1');
    const [{ trusted, metadata }] = cells(stream);
    expect([trusted, metadata.approved_by]).toEqual([true, 'person']);
  });

  it('when it is the same code tried again under the same answer', () => {
    const stream = new Stream().begin().send('first');
    stream.make('run.ended', { run_id: 'first', status: 'not_run' });
    stream.make('run.proposed', { attempt_of: 'first' });
    stream.intend('run-1');
    expect(cells(stream)[0].trusted).toBe(true);
  });

  it('but not when other code was tried again', () => {
    const stream = new Stream().begin().send('first');
    stream.make('run.ended', { run_id: 'first', status: 'not_run' });
    stream.make('run.proposed', {
      attempt_of: 'first',
      sha256: '0'.repeat(64)
    });
    stream.intend('run-1');
    expect(cells(stream)[0].trusted).toBe(false);
  });

  it('but not when nobody allowed it', () => {
    const stream = new Stream().begin();
    stream.make('run.proposed');
    stream.intend('run-1');
    const [{ trusted, metadata }] = cells(stream);
    expect([trusted, metadata.approved_by]).toEqual([false, null]);
  });
});

describe('a failed attempt', () => {
  it('is wanted until its repair goes out', () => {
    const stream = failed();
    stream.make('run.proposed', { run_id: 'good', repairs: 'bad' });
    expect(ids(stream)).toEqual(['cell-bad']);
  });

  it('gives its place to the repair when it changed nothing', () => {
    const stream = failed().send('good', { repairs: 'bad' });
    expect(cells(stream)).toMatchObject([
      { cellId: 'cell-good', replaces: 'cell-bad', after: 'mine' }
    ]);
  });

  it('gives its place to the repair that the person edited', () => {
    const stream = failed();
    stream.make('run.proposed', { run_id: 'proposal', repairs: 'bad' });
    stream.send('good', { by: 'user', replaces: 'proposal' });
    expect(ids(stream)).toEqual(['cell-good']);
  });

  it('gives way together with the attempts before it', () => {
    const stream = failed()
      .send('worse', { repairs: 'bad' })
      .fail('worse')
      .send('good', { repairs: 'worse' });
    stream.send('next');
    expect(cells(stream)).toMatchObject([
      {
        cellId: 'cell-good',
        replaces: 'cell-worse',
        supersedes: ['cell-bad', 'cell-worse'],
        after: 'mine'
      },
      { cellId: 'cell-next', supersedes: [] }
    ]);
  });

  it('leaves the cell that followed it to its repair', () => {
    const stream = failed();
    stream.make('run.proposed', { run_id: 'good', repairs: 'bad' });
    stream.intend('good', { after: 'cell-bad' });
    stream.make('run.proposed', { run_id: 'next' });
    stream.intend('next', { after: 'cell-bad' });
    expect(cells(stream).map(cell => [cell.cellId, cell.after])).toEqual([
      ['cell-good', 'mine'],
      ['cell-next', 'cell-good']
    ]);
  });

  const BOTH = ['cell-bad', 'cell-good'];

  it('stays when the next run does not say that it repairs it', () => {
    expect(ids(failed().send('good'))).toEqual(BOTH);
  });

  it('stays when it changed a variable', () => {
    const stream = new Stream().begin().send('bad').fail('bad', CHANGED);
    expect(ids(stream.send('good', { repairs: 'bad' }))).toEqual(BOTH);
  });

  it('stays when nobody knows whether it changed a variable', () => {
    const stream = new Stream().begin().send('bad');
    stream.fail('bad', { variables_complete: false });
    expect(ids(stream.send('good', { repairs: 'bad' }))).toEqual(BOTH);
  });

  it.each(['kept', 'undone', 'edited_since', 'deleted_by_user'] as const)(
    'stays when the person touched it: %s',
    verdict => {
      const stream = failed();
      stream.make('cell.reviewed', { run_id: 'bad', verdict });
      expect(ids(stream.send('good', { repairs: 'bad' }))).toEqual(BOTH);
    }
  );

  it('stays when another cell ran between it and its repair', () => {
    const stream = failed().send('between').send('good', { repairs: 'bad' });
    expect(ids(stream)).toEqual(['cell-bad', 'cell-between', 'cell-good']);
  });

  it('stays when a scratch cell ran between it and its repair', () => {
    const stream = failed()
      .send('quiet', { scratch: true })
      .send('good', { repairs: 'bad' });
    expect(ids(stream)).toEqual(BOTH);
  });

  it('gives way when a proposal between them was only rejected', () => {
    const stream = failed();
    stream.make('run.proposed', { run_id: 'refused', repairs: 'bad' });
    stream.make('run.ended', { run_id: 'refused', status: 'rejected' });
    expect(ids(stream.send('good', { repairs: 'bad' }))).toEqual(['cell-good']);
  });

  it('stays when its repair comes in a later turn', () => {
    const stream = failed();
    stream.make('turn.ended');
    stream.make('turn.started', { turn_id: 'turn-2' });
    stream.send('good', { turn_id: 'turn-2', repairs: 'bad' });
    expect(ids(stream)).toEqual(BOTH);
  });

  it('stays when it did not fail but was interrupted', () => {
    const stream = new Stream().begin().send('bad');
    stream.make('run.ended', { run_id: 'bad', status: 'interrupted' });
    expect(ids(stream.send('good', { repairs: 'bad' }))).toEqual(BOTH);
  });

  it('stays when its repair leaves no cell', () => {
    const stream = failed().send('good', { repairs: 'bad', scratch: true });
    expect(ids(stream)).toEqual(['cell-bad']);
  });
});

describe('a run that never ran', () => {
  function notRun(): Stream {
    const stream = new Stream().begin().send('first');
    stream.make('run.ended', { run_id: 'first', status: 'not_run' });
    stream.make('run.proposed', { run_id: 'again', attempt_of: 'first' });
    return stream;
  }

  it('gives its place to the one that tries it again', () => {
    expect(cells(notRun().intend('again'))).toMatchObject([
      { cellId: 'cell-again', replaces: 'cell-first' }
    ]);
  });

  it('is one cell with the one that tries it again under its id', () => {
    const stream = notRun().intend('again', { cell_id: 'cell-first' });
    expect(cells(stream)).toMatchObject([
      { runId: 'again', cellId: 'cell-first', replaces: null, supersedes: [] }
    ]);
  });

  it('does not stand between a failure and its repair', () => {
    const stream = failed().send('lost');
    stream.make('run.ended', { run_id: 'lost', status: 'not_run' });
    stream.send('good', { repairs: 'bad' });
    expect(ids(stream)).toEqual(['cell-lost', 'cell-good']);
  });
});
