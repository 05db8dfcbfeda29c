import { act } from '@testing-library/react';

import { Stage } from '../support/panel';

function tell(stage: Stage, read_only: string | null): void {
  const thread_id = stage.stream.threadId;
  act(() => {
    stage.client.received.emit({
      type: 'kernel.state',
      thread_id,
      kernel_id: null,
      state: 'none',
      whose: null,
      queued: 0,
      language: null,
      display_name: null,
      generation: null,
      variables: true
    });
    const seq = stage.stream.events.length;
    stage.client.received.emit({
      type: 'caught_up',
      thread_id,
      seq,
      read_only
    });
  });
}

describe('the outlook', () => {
  it('does not miss the kernel of a notebook whose thread can only be read here', () => {
    const stage = new Stage();
    stage.stream.begin();
    stage.open();
    tell(stage, null);
    expect(stage.panel.outlook.binding?.activity).toBe('none');
    tell(stage, 'This thread is in use by another Jupyter server.');
    expect(stage.panel.outlook.binding).toMatchObject({
      kernelName: 'Python 3',
      activity: 'idle'
    });
  });
});
