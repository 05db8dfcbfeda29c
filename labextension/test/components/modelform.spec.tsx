import { act, fireEvent, render, screen } from '@testing-library/react';
import React from 'react';

import { ModelChooser } from '../../src/components/settings/modelchooser';
import type { ModelSettings } from '../../src/protocol/generated';
import { doing, Stage, STATUS } from '../support/panel';

const KEY = `sk-proj-${'aB3'.repeat(20)}`;

function play(names: string[] = []): ModelSettings[] {
  const stage = new Stage();
  const sent: ModelSettings[] = [];
  stage.api.saveSettings = model => {
    sent.push(model);
    return Promise.resolve({ ...STATUS, model });
  };
  const status = { ...STATUS, key_names: names };
  render(
    stage.set(<ModelChooser status={status} open onSaved={() => undefined} />)
  );
  return sent;
}

const field = () =>
  screen.getByLabelText<HTMLInputElement>(/Environment variable/);
const type = (value: string) =>
  fireEvent.change(field(), { target: { value } });
const save = () =>
  doing(() => screen.getByRole('button', { name: 'Save' }).click());

describe('the model settings', () => {
  it('take a key out of the field for the name of its variable, and send it nowhere', async () => {
    const sent = play();
    type(KEY);
    expect(field().value).toBe('');
    expect(screen.getByText(/That looks like a key/)).toBeTruthy();
    expect(document.body.innerHTML).not.toContain(KEY);
    await save();
    expect(sent).toMatchObject([{ key_env: null }]);
  });

  it('say no more of it once a name is there', () => {
    play();
    type(KEY);
    type('MY_KEY');
    expect(screen.queryByText(/That looks like a key/)).toBeNull();
    expect(field().value).toBe('MY_KEY');
  });

  it('send nothing while what is there is no name', async () => {
    const sent = play();
    type('$OPENAI_API_KEY');
    expect(screen.getByText(/A name has letters/)).toBeTruthy();
    await save();
    expect(sent).toEqual([]);
  });

  it('say that no variable of that name is set on the server', () => {
    play(['SOME_API_KEY']);
    type('OTHER_API_KEY');
    expect(
      screen.getByText(
        'No environment variable of that name is set on this server.'
      )
    ).toBeTruthy();
    type('SOME_API_KEY');
    expect(screen.getByText('Set on this server: SOME_API_KEY')).toBeTruthy();
  });

  it('say what a test waits for once it takes long, and no more once it is over', async () => {
    jest.useFakeTimers();
    const stage = new Stage();
    let fail: (reason: Error) => void = () => undefined;
    stage.api.checkModel = () => new Promise((_, reject) => (fail = reject));
    render(
      stage.set(<ModelChooser status={STATUS} open onSaved={() => undefined} />)
    );
    const waits = () => screen.queryByText(/loads the model library/);
    await doing(() => screen.getByRole('button', { name: 'Test' }).click());
    act(() => jest.advanceTimersByTime(1_900));
    expect(waits()).toBeNull();
    act(() => jest.advanceTimersByTime(200));
    expect(waits()).toBeTruthy();
    await doing(() => fail(new Error('It is not there.')));
    expect(waits()).toBeNull();
    jest.useRealTimers();
  });
});
