import { Stage } from '../support/panel';

/** A thread of a notebook whose kernel the server does not see. */
function begun(read_only: string | null = null): Stage {
  const stage = new Stage();
  stage.stream.begin();
  return stage.open().kernel({ state: 'none' }).tell(read_only);
}

describe('the outlook', () => {
  it('does not miss the kernel of a notebook whose thread can only be read here', () => {
    const stage = begun();
    expect(stage.panel.outlook.binding?.activity).toBe('none');
    stage.tell('This thread is in use by another Jupyter server.');
    expect(stage.panel.outlook.binding).toMatchObject({
      kernelName: 'Python 3',
      activity: 'idle'
    });
  });

  it('does not call a kernel idle while the connection to the server is lost', () => {
    const stage = begun();
    stage.client.link = { kind: 'waiting', attempt: 1 };
    expect(stage.panel.outlook.binding?.activity).toBe('not_connected');
    stage.client.link = { kind: 'connecting' };
    expect(stage.panel.outlook.binding?.activity).toBe('not_connected');
  });
});

describe('a thread that lives on another server', () => {
  const opened = (stage: Stage) => stage.client.of('thread.open');

  it('shows what is new when the page is come back to', () => {
    const stage = begun('This thread is in use by another Jupyter server.');
    window.dispatchEvent(new Event('focus'));
    expect(opened(stage).map(({ from_seq }) => from_seq)).toEqual([0, 2]);
    window.dispatchEvent(new Event('focus'));
    expect(opened(stage)).toHaveLength(2);
    stage.stream.make('text.delta');
    stage.tell();
    expect(stage.panel.outlook.state?.turns[0].items).toHaveLength(1);
  });

  it('is not asked for again if it lives here', () => {
    const stage = begun();
    window.dispatchEvent(new Event('focus'));
    stage.panel.dispose();
    expect(opened(stage)).toHaveLength(1);
  });
});
