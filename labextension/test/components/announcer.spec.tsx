import { nullTranslator } from '@jupyterlab/translation';

import { announce } from '../../src/components/announcer';
import { replay } from '../../src/state/reducer';
import { Stream } from '../support/events';

describe('what is read out when a turn has ended', () => {
  it('is the answer in plain words, without the marks of markdown', () => {
    const stream = new Stream().begin();
    const text = '**March** is best: see `df["a*b"]` and [more](https://x.y).';
    stream.make('text.delta', { text });
    const before = replay(stream.events)!;
    stream.make('turn.ended');
    const now = replay(stream.events)!;
    expect(announce(before, now, nullTranslator.load('cave_lab'))).toBe(
      'The turn has ended. March is best: see df["a*b"] and more.'
    );
  });
});
