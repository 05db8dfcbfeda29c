import { act } from '@testing-library/react';

import { KernelNotice } from '../../src/panel/kernelNotice';
import { Stage } from '../support/panel';

describe('a kernel that only the page sees', () => {
  let stage: Stage;
  let notice: KernelNotice;

  const looks = () => stage.client.of('variables.look').length;
  const see = (kernel_id: string | null) => {
    const front = stage.notebooks.front!;
    stage.notebooks.front = {
      ...front,
      target: { ...front.target, kernel_id }
    };
    act(() => stage.notebooks.changed.emit());
  };

  beforeEach(() => {
    stage = new Stage();
    const { client, notebooks, panel } = stage;
    notice = new KernelNotice({ client, notebooks, shown: panel.shown });
    stage.stream.begin();
    see(null);
    stage.open();
  });

  afterEach(() => notice.dispose());

  it('is told to the server, once', () => {
    stage.kernel({ state: 'none' });
    expect(looks()).toBe(0);
    see('k-2');
    see('k-2');
    expect(looks()).toBe(1);
    see('k-3');
    expect(looks()).toBe(2);
  });

  it('is not told when the server sees one too', () => {
    stage.kernel();
    see('k-2');
    expect(looks()).toBe(0);
  });
});
