import { act, screen } from '@testing-library/react';

import type { Link } from '../../src/state/client';
import { doing, Stage } from '../support/panel';

const binding = () =>
  document.querySelector('.jp-CaveLab-bindingLine')!.textContent;

function play(): { stage: Stage; set: (link: Link) => void } {
  const stage = new Stage();
  stage.stream.begin();
  stage.open().show();
  const set = (link: Link) =>
    act(() => {
      stage.client.link = link;
      stage.client.linkChanged.emit(link);
    });
  return { stage, set };
}

describe('a lost connection', () => {
  it('is told without claiming what the server or the kernel does', () => {
    const { set } = play();
    expect(binding()).toContain('idle');
    set({ kind: 'waiting', attempt: 1 });
    expect(binding()).toContain('not connected');
    expect(screen.getByText(/If the server is up/)).toBeTruthy();
    expect(document.body.textContent).not.toContain('idle');
  });

  it('is told on while it is tried again, so that nothing flickers', () => {
    const { set } = play();
    set({ kind: 'waiting', attempt: 1 });
    set({ kind: 'connecting' });
    expect(
      screen.getByText(/The connection to the server is lost/)
    ).toBeTruthy();
    expect(binding()).toContain('not connected');
  });
});

describe('a thread that lives on another server', () => {
  it('can be looked at again', async () => {
    const { stage } = play();
    stage.tell('It is in use by another Jupyter server.');
    act(() => stage.panel.setView('thread'));
    await doing(() =>
      screen.getByRole('button', { name: 'Look again' }).click()
    );
    expect(stage.client.of('thread.open')).toHaveLength(2);
  });
});
