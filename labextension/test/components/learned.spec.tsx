import { render, screen } from '@testing-library/react';
import React from 'react';

import { LearnedList } from '../../src/components/settings/learned';
import { usePanelValue } from '../../src/components/hooks';
import type { ModelMemory, ModelName } from '../../src/protocol/generated';
import { memory, remembering } from '../support/model';
import { doing, Stage } from '../support/panel';

const ONE = memory({ model: 'one' });
const TWO = memory({
  model: 'two',
  api_base: 'http://localhost:1/v1',
  learned: {
    format: 'tools',
    reason: 'called_the_tool',
    at: '2026-11-29T12:00:00Z'
  }
});

function Page(): React.JSX.Element {
  const memories = usePanelValue(now => now.server.status?.memories);
  return <LearnedList memories={memories ?? []} />;
}

let stage: Stage;

/** A page of a server that forgets. */
async function play(...memories: ModelMemory[]): Promise<ModelName[]> {
  stage = new Stage();
  const forgotten: ModelName[] = [];
  let left = memories;
  stage.api.status = () => Promise.resolve(remembering(...left));
  stage.api.forgetModel = name => {
    if (name.model === 'stubborn') {
      return Promise.reject(new Error('The disk is full.'));
    }
    forgotten.push(name);
    left = left.filter(one => one.model !== name.model);
    return Promise.resolve(remembering(...left));
  };
  await stage.panel.server.load();
  render(stage.set(<Page />));
  return forgotten;
}

const press = (name: string) =>
  doing(() => {
    const button = screen.getByRole('button', { name });
    button.focus();
    button.click();
  });
const text = () => document.body.textContent ?? '';

describe('what was learned about models', () => {
  it('is told with the name, the address, and the day', async () => {
    await play(ONE, TWO);
    const [one, two] = screen.getAllByRole('listitem');
    expect(one.textContent).toContain(
      'Fenced blocks: it refused tools on Nov 28, 2026.'
    );
    expect(two.textContent).toContain('two http://localhost:1/v1');
    expect(two.textContent).toContain('tested on Nov 29, 2026.');
  });

  it('is not there while nothing was learned', async () => {
    await play(memory({ learned: null }));
    expect(text()).toBe('');
  });

  it('is forgotten one by one, and the focus stays near', async () => {
    const forgotten = await play(ONE, TWO);
    await press('Forget two');
    expect(forgotten).toMatchObject([{ model: 'two', api_base: TWO.api_base }]);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(text()).toContain('Forgot what was learned about two.');
    expect(screen.queryByText('Forget all')).toBeNull();
    const focus = document.activeElement;
    expect(focus?.className).toBe('jp-CaveLab-learned');
  });

  it('is no longer called forgotten once it was learned anew', async () => {
    await play(ONE, TWO);
    await press('Forget two');
    stage.api.status = () => Promise.resolve(remembering(ONE, TWO));
    await doing(() => stage.panel.server.load());
    expect(text()).not.toContain('Forgot what was learned');
  });

  it('is forgotten all at once', async () => {
    const forgotten = await play(ONE, TWO);
    await press('Forget all');
    expect(forgotten.map(name => name.model)).toEqual(['one', 'two']);
    expect(screen.queryByRole('listitem')).toBeNull();
    expect(screen.queryByText('Learned about models')).toBeNull();
    expect(screen.getByRole('status').textContent).toContain('Forgot what');
  });

  it("stays where the server can't forget it, which is told", async () => {
    await play(ONE, memory({ model: 'stubborn' }));
    await press('Forget all');
    expect(screen.getByRole('status').textContent).toBe('The disk is full.');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByText('Forget')).toBeTruthy();
  });
});
