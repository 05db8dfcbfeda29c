import { cleanup, render } from '@testing-library/react';
import React from 'react';

import { App } from '../../src/components/app';
import type { Stream } from '../support/events';
import { drawing, Stage } from '../support/panel';

afterEach(cleanup);

function play(make: (stream: Stream) => unknown): void {
  const stage = new Stage();
  stage.stream.begin();
  make(stage.stream);
  stage.open();
  render(<App panel={stage.panel} drawing={drawing()} />);
}

const summary = () =>
  document.querySelector('.jp-CaveLab-summary')!.textContent;

function repair(stream: Stream, changes: object): void {
  stream.send('bad').fail('bad', changes).send('good', { repairs: 'bad' });
  stream.make('run.ended', { run_id: 'good' });
  for (const name of ['bad', 'good']) {
    stream.make('cell.placed', { run_id: name, cell_id: `cell-${name}` });
  }
  stream.make('turn.ended');
}

describe('the summary of a turn', () => {
  it('does not count a failed cell whose repair took its place', () => {
    play(stream => repair(stream, { variables_complete: true }));
    expect(summary()).toContain('Added 1 cell');
  });

  it('counts a failed cell that stays beside its repair', () => {
    play(stream => repair(stream, { variables_complete: false }));
    expect(summary()).toContain('Added 2 cells');
  });
});
