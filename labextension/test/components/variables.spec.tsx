import { cleanup, render, screen } from '@testing-library/react';
import React from 'react';

import { ContextLine } from '../../src/components/given/contextline';
import { Variables } from '../../src/components/given/variables';
import type { Variable, VariablesResult } from '../../src/protocol/generated';
import { doing, Stage } from '../support/panel';
import { DF, holding, variable } from '../support/variables';

async function play(
  seen: VariablesResult,
  digests: ReadonlyMap<string, string> = new Map()
): Promise<Stage> {
  const stage = new Stage();
  stage.stream.begin();
  stage.open();
  stage.notebooks.digests = digests;
  stage.notebooks.once = ['here', 'there'];
  stage.client.answers['variables.look'] = seen;
  await doing(() => {
    render(stage.set(<Variables />));
  });
  return stage;
}

const rows = () =>
  screen
    .getAllByRole('row')
    .map(row => row.textContent)
    .slice(1);
const sha = (letter: string) => letter.repeat(64);
const bound = (name: string, cell_id: string, letter: string): Variable =>
  variable(name, { cell_id, cell_sha256: sha(letter) });

describe('the table of variables', () => {
  it('has the type and the size of each', async () => {
    await play(holding(DF, variable('n')));
    expect(rows()).toEqual(['dfDataFrame90 × 3', 'nint']);
  });

  it('tells what a container holds and the fields of an object', async () => {
    await play(
      holding(
        variable('names', { type: 'list', length: 3, summary: 'of str' }),
        variable('point', {
          type: 'Point',
          columns: [
            { name: 'x', dtype: 'float' },
            { name: 'y', dtype: '' }
          ]
        }),
        variable('a', { type: 'ndarray', dtype: 'int64', shape: [4, 2] })
      )
    );
    expect(rows()).toEqual([
      'nameslistof str3',
      'pointPointx: float, y',
      'andarray int644 × 2'
    ]);
  });

  it('marks those whose cell is gone or was edited since', async () => {
    await play(
      holding(
        bound('same', 'here', 'a'),
        bound('old', 'here', 'b'),
        bound('lost', 'there', 'c'),
        bound('foreign', 'elsewhere', 'c'),
        variable('unknown')
      ),
      new Map([['here', sha('a')]])
    );
    expect(rows()).toEqual([
      'sameint',
      'oldintits cell was edited since',
      'lostintits cell is gone',
      'foreignint',
      'unknownint'
    ]);
  });

  it('marks none while the notebook is not open here', async () => {
    const stage = new Stage();
    stage.stream.begin();
    stage.open();
    stage.notebooks.front = null;
    stage.client.answers['variables.look'] = holding(bound('x', 'c', 'a'));
    await doing(() => {
      render(stage.set(<Variables />));
    });
    expect(rows()).toEqual(['xint']);
  });

  it('says how many there are besides, and that there are none', async () => {
    await play({ ...holding(DF), total: 1_501 });
    expect(screen.getByText('1,500 more')).toBeTruthy();
    cleanup();
    await play(holding());
    expect(screen.getByText('The kernel holds no variables.')).toBeTruthy();
  });

  it('is not drawn again by each word of an answer', async () => {
    const stage = new Stage();
    stage.stream.begin();
    stage.open();
    stage.client.answers['variables.look'] = holding(DF);
    const drawn = jest.spyOn(stage.notebooks, 'cells');
    await doing(() => {
      render(stage.set(<ContextLine />));
    });
    await doing(() => screen.getByRole('button').click());
    expect(rows()).toEqual(['dfDataFrame90 × 3']);
    const before = drawn.mock.calls.length;
    stage.stream.make('text.delta');
    stage.tell();
    stage.stream.make('text.delta');
    stage.tell();
    expect(drawn).toHaveBeenCalledTimes(before);
  });

  it('is what the kernel holds by now, when a cell has ended meanwhile', async () => {
    const stage = await play(holding(DF));
    stage.kernel({ state: 'busy' });
    stage.client.answers['variables.look'] = holding(DF, variable('fresh'));
    await doing(() => stage.kernel());
    expect(rows()).toEqual(['dfDataFrame90 × 3', 'freshint']);
  });

  it('says why they can not be seen', async () => {
    await play({ ...holding(), unavailable: 'There is no kernel.' });
    expect(screen.getByText('There is no kernel.')).toBeTruthy();
  });
});
