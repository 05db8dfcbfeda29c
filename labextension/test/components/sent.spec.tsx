import { render, screen } from '@testing-library/react';
import React from 'react';

import { App } from '../../src/components/app';
import { doing, drawing, Stage } from '../support/panel';

const FIGURE = 'data:image/png;base64,iVBORw0KGgo=';

describe('a figure that was sent to the model', () => {
  it('is shown as the picture that it was', async () => {
    const stage = new Stage();
    stage.stream.begin();
    stage.stream.make('variables.seen', { total: 3 });
    stage.stream.make('context.sent');
    stage.stream.make('usage');
    stage.open();
    const drawn = drawing();
    const stored = { role: 'result', text: '[figure: PNG]', images: [FIGURE] };
    const blob = jest
      .spyOn(drawn.api, 'blob')
      .mockResolvedValue(JSON.stringify(stored));
    render(<App panel={stage.panel} drawing={drawn} />);
    await doing(() =>
      screen.getByRole('button', { name: /Last sent/ }).click()
    );
    await doing(() => screen.getByText(/^Call 1 to/).click());
    const shown = screen.getByAltText('Figure 1');
    expect(shown.getAttribute('src')).toBe(FIGURE);
    expect(screen.getByRole('dialog').textContent).not.toContain('base64');
    blob.mockRestore();
  });
});
