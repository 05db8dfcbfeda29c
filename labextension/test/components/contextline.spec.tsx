import { cleanup, render, screen } from '@testing-library/react';
import React from 'react';

import { App } from '../../src/components/app';
import { drawing, Stage } from '../support/panel';

afterEach(cleanup);

function play(seen: object): void {
  const stage = new Stage();
  stage.stream.begin();
  stage.stream.make('variables.seen', seen);
  stage.stream.make('context.sent');
  stage.open();
  render(<App panel={stage.panel} drawing={drawing()} />);
}

describe('the line of what the model is given', () => {
  it('counts variables and cells', () => {
    play({ total: 3 });
    expect(
      screen.getByRole('button', { name: 'Last sent: 3 variables, 2 cells' })
    ).toBeTruthy();
  });

  it('does not say that there are no variables when none could be seen', () => {
    play({ unavailable: 'The kernel has been busy since CaveLab found it.' });
    expect(
      screen.getByRole('button', {
        name: 'Last sent: variables unknown, 2 cells'
      })
    ).toBeTruthy();
  });
});
