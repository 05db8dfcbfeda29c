import { screen, within } from '@testing-library/react';

import { doing, Stage, STATUS } from '../support/panel';

const PROMPTS = ['Revenue', 'Plot it', 'Count slowly', 'What happened?'];

/** A tour whose prompts were asked one after the other, and what the script suggests now. */
async function tour(
  asked: readonly string[],
  suggestions: string[]
): Promise<string[]> {
  const stage = new Stage();
  stage.stream.make('thread.created', { model: STATUS.tour_model });
  for (const [at, text] of asked.entries()) {
    const turn_id = `turn-${at}`;
    stage.stream.make('turn.started', {
      turn_id,
      content: [{ type: 'text', text }]
    });
    stage.stream.make('turn.ended', { turn_id, suggestions });
  }
  await stage.db.save('cave-lab:tour', PROMPTS);
  await doing(() => stage.panel.start());
  stage.open().show();
  const group = screen.queryByRole('group', {
    name: 'What to ask in the tour'
  });
  const buttons = group ? within(group).getAllByRole('button') : [];
  return buttons.map(button => button.textContent ?? '');
}

describe('what to ask in the tour', () => {
  it('is what the script suggests, also what was asked before', async () => {
    const asked = PROMPTS.slice(0, 3);
    expect(await tour(asked, ['Count slowly'])).toEqual(['Count slowly']);
  });

  it('is the next in its order where the script suggests nothing', async () => {
    expect(await tour(PROMPTS.slice(0, 2), [])).toEqual(['Count slowly']);
  });

  it('is nothing more when all was asked', async () => {
    expect(await tour(PROMPTS, [])).toEqual([]);
  });
});
