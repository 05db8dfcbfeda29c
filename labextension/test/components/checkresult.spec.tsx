import { render } from '@testing-library/react';
import React from 'react';

import { CheckResult } from '../../src/components/settings/checkresult';
import { DrawingContext } from '../../src/components/context';
import { drawing } from '../support/panel';

describe('what Test came to', () => {
  it('gives one verdict about tools, the one that the server wrote', () => {
    const outcome = "This model can't call tools. Choose another model.";
    const check = {
      ok: false,
      tried: 'It.',
      outcome,
      detail: null,
      tools: false
    };
    render(
      <DrawingContext.Provider value={drawing()}>
        <CheckResult check={check} />
      </DrawingContext.Provider>
    );
    const shown = document.querySelector('.jp-CaveLab-notice')!.textContent;
    expect(shown).toBe(`Tried: It.Came back: ${outcome}`);
  });
});
