import { entriesOf, underRepair } from '../../src/state/attempts';
import { replay } from '../../src/state/reducer';
import { turn } from '../support/cases';
import { Stream } from '../support/events';

/** Rows as text: an item by its type, a run by the attempts that it ends. */
function rows(stream: Stream): string[] {
  const state = replay(stream.events)!;
  return entriesOf(state, turn(state)).map(entry =>
    entry.kind === 'item'
      ? entry.item.type
      : [...entry.earlier, entry.run].map(run => run.run_id).join('+')
  );
}

/** The run has gone through, and not only been sent. */
function ran(
  stream: Stream,
  run_id: string,
  fields: Parameters<Stream['send']>[1]
): Stream {
  stream.send(run_id, fields).make('run.ended', { run_id });
  return stream;
}

const begun = (): Stream => new Stream().begin();

describe('the rows of an answer', () => {
  it('are its items and runs in order', () => {
    const stream = begun();
    stream.make('text.delta');
    stream.send('one');
    stream.make('notice', { turn_id: 'turn-1' });
    stream.send('two');
    expect(rows(stream)).toEqual(['text', 'one', 'notice', 'two']);
  });

  it('join a failure and its repair, in the place of the repair', () => {
    const stream = begun().send('bad').fail('bad');
    stream.make('text.delta');
    ran(stream, 'good', { repairs: 'bad' });
    expect(rows(stream)).toEqual(['text', 'bad+good']);
  });

  it('show a failure while its repair waits for the person, and while that runs', () => {
    const stream = begun().send('bad').fail('bad');
    const failures = (): string[] => {
      const state = replay(stream.events)!;
      return [...underRepair(state, turn(state))].map(run => run.run_id);
    };
    expect(failures()).toEqual([]);
    stream.make('run.proposed', { run_id: 'good', repairs: 'bad' });
    stream.make('approval.requested', { run_id: 'good' });
    expect(rows(stream)).toEqual(['bad', 'good']);
    expect(failures()).toEqual(['bad']);
    stream.make('approval.closed', { run_id: 'good' });
    stream.intend('good');
    expect(rows(stream)).toEqual(['bad', 'good']);
    stream.make('run.ended', { run_id: 'good' });
    expect(rows(stream)).toEqual(['bad+good']);
    expect(failures()).toEqual([]);
  });

  it('join all attempts of one cell', () => {
    const stream = begun()
      .send('bad')
      .fail('bad')
      .send('worse', { repairs: 'bad' })
      .fail('worse');
    ran(stream, 'good', { repairs: 'worse' });
    expect(rows(stream)).toEqual(['bad+worse+good']);
  });

  it('show each attempt once when two repair the same failure', () => {
    const stream = begun()
      .send('bad')
      .fail('bad')
      .send('worse', { repairs: 'bad' })
      .fail('worse')
      .send('good', { repairs: 'bad' });
    expect(rows(stream)).toEqual(['bad+worse', 'good']);
  });

  it('do not hide a failure behind a repair that was rejected', () => {
    const stream = begun().send('bad').fail('bad');
    stream.make('run.proposed', { run_id: 'good', repairs: 'bad' });
    stream.make('run.ended', { run_id: 'good', status: 'rejected' });
    expect(rows(stream)).toEqual(['bad', 'good']);
  });

  it('do not join what repairs a run that had not failed', () => {
    const stream = begun().send('fine');
    stream.make('run.ended', { run_id: 'fine' });
    expect(rows(stream.send('next', { repairs: 'fine' }))).toEqual([
      'fine',
      'next'
    ]);
  });

  it('join a run that never ran with the one that tried again', () => {
    const stream = begun().send('first');
    stream.make('run.ended', { run_id: 'first', status: 'not_run' });
    expect(rows(ran(stream, 'again', { attempt_of: 'first' }))).toEqual([
      'first+again'
    ]);
  });

  it('leave out the proposal that the person edited, and join its failure', () => {
    const stream = begun().send('bad').fail('bad');
    stream.make('run.proposed', { run_id: 'proposal', repairs: 'bad' });
    stream.make('approval.closed', {
      run_id: 'proposal',
      outcome: 'run_edited'
    });
    ran(stream, 'good', { by: 'user', replaces: 'proposal' });
    expect(rows(stream)).toEqual(['bad+good']);
  });

  it('have keys that stay while the answer grows', () => {
    const stream = begun();
    stream.make('text.delta');
    stream.send('one');
    const keys = (): string[] => {
      const state = replay(stream.events)!;
      return entriesOf(state, turn(state)).map(entry => entry.key);
    };
    const before = keys();
    stream.make('text.delta');
    expect(keys()).toEqual([...before, 'text-2']);
  });
});
