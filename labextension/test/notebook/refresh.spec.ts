import { refresh } from '../../src/notebook/refresh';
import { Desk, ignoreYjs, notebook } from './desk';

ignoreYjs();

describe('reading a notebook from its file again', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('refresh.ipynb');
    await desk.writeFile(notebook(['a', 'z']));
  });
  afterEach(() => desk.close());

  it('lets nothing be typed meanwhile, which it would overwrite', async () => {
    const { node } = desk.panel.content;
    const done = refresh(desk.panel);
    expect(node.hasAttribute('inert')).toBe(true);
    expect(await done).toBe(true);
    expect(node.hasAttribute('inert')).toBe(false);
    expect(desk.ids).toEqual(['a', 'z']);
  });

  it('leaves alone what was typed after it was found out of date', async () => {
    desk.type(0, 'mine');
    expect(desk.model.dirty).toBe(true);
    expect(await refresh(desk.panel)).toBe(false);
    expect(desk.ids).toEqual(['mine', 'a', 'b', 'c']);
  });

  it('lets the person type again when the file can not be read', async () => {
    jest
      .spyOn(desk.context, 'revert')
      .mockRejectedValue(new Error('The disk is gone.'));
    await expect(refresh(desk.panel)).rejects.toThrow('The disk is gone.');
    expect(desk.panel.content.node.hasAttribute('inert')).toBe(false);
  });
});
