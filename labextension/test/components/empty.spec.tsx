import { act, screen } from '@testing-library/react';

import type { IOpenNotebook } from '../../src/panel/ports';
import type { Stream } from '../support/events';
import { doing, Stage, STATUS } from '../support/panel';

const SEES = /CaveLab sees the variables/;
const text = () => document.body.textContent ?? '';
const names = () => screen.queryAllByRole('button').map(one => one.textContent);

/** The page before anything was asked. */
async function begin(
  model: boolean,
  front: Partial<IOpenNotebook> | null
): Promise<Stage> {
  const stage = new Stage();
  const { notebooks } = stage;
  notebooks.front = front && { ...notebooks.front!, ...front };
  Object.assign(stage.api, {
    status: () => Promise.resolve(model ? STATUS : { ...STATUS, model: null })
  });
  await doing(() => stage.panel.start());
  return stage.show();
}

/** A thread that was begun without a notebook, and failed for that. */
function play(make: (stream: Stream) => unknown = () => undefined): Stage {
  const stage = new Stage();
  stage.notebooks.front = null;
  stage.stream.begin();
  stage.stream.make('thread.changed', {
    target: {
      notebook: null,
      session_id: null,
      kernel_id: null,
      language: null
    }
  });
  stage.stream.make('notice', {
    turn_id: 'turn-1',
    level: 'error',
    text: 'There is no kernel.',
    actions: ['start_kernel', 'try_again']
  });
  stage.stream.make('turn.ended', { stop_reason: 'internal_error' });
  make(stage.stream);
  return stage.open().show();
}

function bringNotebook(stage: Stage, kernelName: string | null): void {
  act(() => {
    stage.notebooks.front = { ...new Stage().notebooks.front!, kernelName };
    stage.notebooks.changed.emit();
  });
}

describe('the panel before anything was asked', () => {
  it('says that no notebook is open also where no model is chosen', async () => {
    const stage = await begin(false, null);
    expect(text()).toContain('No notebook is open.');
    expect(names()).toContain('Take the guided tour');
    await doing(() =>
      screen.getByRole('button', { name: 'Create a notebook' }).click()
    );
    expect(stage.notebooks.done).toEqual(['create']);
  });

  it('says what CaveLab sees where a kernel runs', async () => {
    await begin(true, {});
    expect(text()).toMatch(SEES);
  });

  it('does not claim to see variables where no kernel runs', async () => {
    await begin(true, { kernelName: null });
    expect(text()).not.toMatch(SEES);
    expect(text()).toContain('Once its kernel runs');
  });
});

describe('a thread without a notebook', () => {
  it('offers to create or open one, and no kernel that nothing can start', () => {
    play();
    expect(text()).toContain('No notebook is open.');
    expect(names()).toContain('Create a notebook');
    expect(names()).toContain('Open one');
    expect(names()).not.toContain('Start the kernel');
  });

  it('says of a notebook opened then that the next message goes to it', async () => {
    const stage = play();
    bringNotebook(stage, null);
    expect(text()).toContain('a.ipynb · no kernel');
    expect(text()).toContain('The next message of this thread goes to it.');
    const [start] = screen.getAllByRole('button', { name: 'Start the kernel' });
    await doing(() => start.click());
    expect(stage.notebooks.done).toEqual(['start a.ipynb']);
  });

  it('offers no start of a kernel that runs since', () => {
    bringNotebook(play(), 'Python 3');
    expect(names()).not.toContain('Start the kernel');
    expect(names()).toContain('Try again');
  });
});
