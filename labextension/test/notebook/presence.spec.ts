import { Presence } from '../../src/notebook/presence';
import { refresh } from '../../src/notebook/refresh';
import { Desk, ignoreYjs } from './desk';

describe('the person', () => {
  ignoreYjs();
  let desk: Desk;
  let presence: Presence;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
    presence = Presence.of(desk.panel);
    await desk.context.ready;
  });

  afterEach(() => desk.close());

  function press(key: string, init: KeyboardEventInit = {}): void {
    const event = new KeyboardEvent('keydown', { key, ...init });
    desk.panel.content.node.dispatchEvent(event);
  }

  it('has not been in the cell that JupyterLab made the active one', () => {
    expect(presence.isThere).toBe(false);
    desk.type(0, 'above');
    expect(desk.panel.content.activeCell?.model.id).toBe('a');
    expect(presence.isThere).toBe(false);
  });

  it('has been in a cell that became the active one', () => {
    desk.panel.content.activeCellIndex = 2;
    expect(presence.isThere).toBe(true);
    desk.panel.content.activeCellIndex = 0;
    expect(presence.isThere).toBe(true);
  });

  it('has been in a cell that they clicked, and not by a click beside it', () => {
    const click = (): Event => new Event('pointerdown', { bubbles: true });
    desk.panel.content.node.dispatchEvent(click());
    expect(presence.isThere).toBe(false);
    desk.panel.content.widgets[0].node.dispatchEvent(click());
    expect(presence.isThere).toBe(true);
  });

  it('has been in a cell by a key, and not by a shortcut that opens the panel', () => {
    press('Control', { ctrlKey: true });
    press(' ', { ctrlKey: true, shiftKey: true });
    press('s', { metaKey: true });
    expect(presence.isThere).toBe(false);
    press('x');
    expect(presence.isThere).toBe(true);
  });

  it('has been in a cell that they ran', () => {
    press('Enter', { ctrlKey: true });
    expect(presence.isThere).toBe(true);
  });

  it('has been nowhere once the document was reloaded from disk', async () => {
    desk.panel.content.activeCellIndex = 2;
    await desk.context.revert();
    expect(presence.isThere).toBe(false);
  });

  it('is still where they were after the file was read again for them', async () => {
    desk.panel.content.activeCellIndex = 2;
    await refresh(desk.panel);
    expect(presence.isThere).toBe(true);
    expect(desk.panel.content.activeCellIndex).toBe(2);
  });

  it('is nowhere after the file was read again for them if they had been nowhere', async () => {
    await refresh(desk.panel);
    expect(presence.isThere).toBe(false);
  });
});
