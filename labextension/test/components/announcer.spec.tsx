import { nullTranslator } from '@jupyterlab/translation';

import { announce } from '../../src/components/announcer';
import { replay } from '../../src/state/reducer';
import { Stream } from '../support/events';

const trans = nullTranslator.load('cave_lab');

/** What is read out by each event that `make` makes. */
function heard(make: (stream: Stream) => unknown): string[] {
  const stream = new Stream().begin();
  const first = stream.events.length;
  make(stream);
  const states = stream.events.map((_, at) =>
    replay(stream.events.slice(0, at + 1))!
  );
  return states
    .slice(first)
    .map((now, at) => announce(states[first + at - 1], now, trans));
}

describe('what is read out of a run', () => {
  it('is each of its states, once', () => {
    const told = heard(stream => {
      stream.send('run-1');
      stream.make('run.started');
      stream.make('output.added');
      stream.make('run.ended');
      stream.make('text.delta');
    });
    expect(told.filter(Boolean)).toEqual([
      'Set x: waiting for you.',
      'Set x: queued.',
      'Set x: running.',
      'Set x: done.'
    ]);
  });

  it('is each question of a cell, with what it asks', () => {
    const told = heard(stream => {
      stream.send('run-1');
      stream.make('run.started');
      stream.make('stdin.requested');
      stream.make('output.added');
      stream.make('stdin.requested', { prompt: 'Sure? ', question: 2 });
      stream.make('stdin.closed');
    });
    expect(told.filter(Boolean).slice(3)).toEqual([
      'Set x: needs input. Name?',
      'Set x: needs input. Sure?',
      'Set x: running.'
    ]);
  });

  it('is told once of one that was left behind, and not again by each event after it', () => {
    const told = heard(stream => {
      stream.make('action.delta');
      stream.make('action.refused');
      stream.make('context.sent', { call: 2 });
      stream.make('text.delta', { call: 2 });
      stream.make('text.delta', { call: 2 });
    });
    expect(told).toEqual(['', '', 'New cell: not run.', '', '']);
  });
});

describe('what is read out of a turn besides its runs', () => {
  it('is each look, and each time that the talk is shortened, once', () => {
    const told = heard(stream => {
      stream.make('text.delta');
      stream.make('variables.looked', { names: ['df'], detail: '' });
      stream.make('context.compacted', {
        before_tokens: 9_000,
        after_tokens: 400
      });
      stream.make('text.delta', { call: 2 });
    });
    expect(told).toEqual([
      '',
      'Looked at df.',
      'The model is told older outputs in one line each. The model’s window was nearly full. About 9,000 tokens became 400.',
      ''
    ]);
  });
});

describe('what is read out when a turn has ended', () => {
  it('is the answer in plain words, without the marks of markdown', () => {
    const stream = new Stream().begin();
    const text = '**March** is best: see `df["a*b"]` and [more](https://x.y).';
    stream.make('text.delta', { text });
    const before = replay(stream.events)!;
    stream.make('turn.ended');
    const now = replay(stream.events)!;
    expect(announce(before, now, trans)).toBe(
      'The turn has ended. March is best: see df["a*b"] and more.'
    );
  });

  it('is that it was stopped, and nothing that was said before', () => {
    const told = heard(stream => {
      stream.make('text.delta', { text: 'Run it, and press **Stop**.' });
      stream.make('turn.ended', { stop_reason: 'cancelled' });
    });
    expect(told).toEqual([
      '',
      'You stopped this turn. What it did so far is kept.'
    ]);
  });

  it('is why it ended early, from its notice where there is one', () => {
    const told = heard(stream => {
      stream.make('text.delta', { text: 'I wait.' });
      stream.make('notice', {
        turn_id: 'turn-1',
        level: 'error',
        text: 'The model is not there.'
      });
      stream.make('turn.ended', { stop_reason: 'model_error' });
    });
    expect(told.at(-1)).toBe('The turn has ended. The model is not there.');
  });
});
