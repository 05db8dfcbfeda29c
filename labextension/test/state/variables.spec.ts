import type { VariableChange } from '../../src/protocol/generated';
import { replay } from '../../src/state/reducer';
import { marksOf, turnVariables } from '../../src/state/variables';
import { turn } from '../support/cases';
import { Stream } from '../support/events';

type Kind = VariableChange['kind'];

function change(name: string, kind: Kind, type = 'int'): VariableChange {
  const value = { type, shape: null, length: null };
  return {
    name,
    kind,
    before: kind === 'added' ? null : value,
    after: kind === 'removed' ? null : value
  };
}

/** A turn whose runs changed so much, one after the other. */
function summary(...runs: VariableChange[][]) {
  const stream = new Stream().begin();
  runs.forEach((variables, index) => {
    stream.send(`run-${index}`);
    stream.make('run.ended', { run_id: `run-${index}`, variables });
  });
  const state = replay(stream.events)!;
  return turnVariables(state, turn(state));
}

const text = (...kinds: Kind[]): string =>
  summary(...kinds.map(kind => [change('x', kind)]))
    .marks.map(mark => `${mark.sign}${mark.name}${mark.sure ? '' : '?'}`)
    .join(' ');

describe('the variables of a run', () => {
  it('are marked as added, changed and removed', () => {
    const marks = marksOf([
      change('monthly', 'added'),
      change('df', 'changed'),
      change('s', 'rebound'),
      change('m', 'maybe_changed'),
      change('tmp', 'removed')
    ]);
    expect(marks.map(mark => `${mark.sign}${mark.name}`)).toEqual([
      '+monthly',
      '~df',
      '~s',
      '~m',
      '-tmp'
    ]);
    expect(marks.map(mark => mark.sure)).toEqual([
      true,
      true,
      true,
      false,
      true
    ]);
  });
});

describe('the variables of a turn', () => {
  it.each([
    [['added'], '+x'],
    [['added', 'changed'], '+x'],
    [['added', 'maybe_changed'], '+x'],
    [['added', 'removed'], ''],
    [['added', 'removed', 'added'], '+x'],
    [['changed', 'rebound'], '~x'],
    [['changed', 'removed'], '-x'],
    [['removed', 'added'], '~x'],
    [['removed', 'added', 'removed'], '-x'],
    [['maybe_changed'], '~x?'],
    [['maybe_changed', 'maybe_changed'], '~x?'],
    [['maybe_changed', 'changed'], '~x'],
    [['maybe_changed', 'removed'], '-x']
  ] as [Kind[], string][])('that were %j are told as "%s"', (kinds, told) => {
    expect(text(...kinds)).toBe(told);
  });

  it.each([
    [['changed', 'changed'], false],
    [['changed', 'rebound'], true],
    [['rebound', 'changed'], true],
    [['removed', 'added'], true]
  ] as [Kind[], boolean][])(
    'that were %j got a new value: %s',
    (kinds, rebound) => {
      const { marks } = summary(...kinds.map(kind => [change('x', kind)]));
      expect(marks[0].rebound).toBe(rebound);
    }
  );

  it('keep the first value before and the last after', () => {
    const { marks } = summary(
      [change('x', 'changed', 'int')],
      [change('x', 'changed', 'str')]
    );
    expect(marks[0].before?.type).toBe('int');
    expect(marks[0].after?.type).toBe('str');
  });

  it('are complete only if every run could tell', () => {
    const stream = new Stream().begin().send('run-1');
    stream.make('run.ended', { variables_complete: false });
    const state = replay(stream.events)!;
    expect(turnVariables(state, turn(state)).complete).toBe(false);
    expect(summary([]).complete).toBe(true);
  });

  it('do not depend on a run that never ran', () => {
    const stream = new Stream().begin().send('run-1');
    stream.make('run.ended', {
      status: 'not_run',
      variables_complete: false
    });
    const state = replay(stream.events)!;
    expect(turnVariables(state, turn(state)).complete).toBe(true);
  });
});
