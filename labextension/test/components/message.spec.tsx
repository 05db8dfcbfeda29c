import { render, screen } from '@testing-library/react';
import React from 'react';

import { Message } from '../../src/components/transcript/message';
import { Stage } from '../support/panel';

describe('a message of the person', () => {
  it('sets what it names off from the words around it', () => {
    const stage = new Stage();
    render(
      stage.set(
        <Message
          content={[
            { type: 'text', text: 'plot ' },
            { type: 'mention', kind: 'variable', name: 'df' },
            { type: 'text', text: ' by month' }
          ]}
        />
      )
    );
    expect(screen.getByText('@df').className).toBe('jp-CaveLab-mention');
    expect(screen.getByText('@df').parentElement!.textContent).toBe(
      'plot @df by month'
    );
  });
});
