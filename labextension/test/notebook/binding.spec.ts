import { ThreadBinding } from '../../src/notebook/binding';
import { Desk, ignoreYjs } from './desk';
import { FakeThread } from './fakeThread';

ignoreYjs();

describe('the panel of a thread', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
  });
  afterEach(() => desk.close());

  it.each([
    ['this root', 'root-1', true],
    ['no root', '', true],
    ['another root', 'root-2', false]
  ])('of %s and the same path', (_, root, found) => {
    const thread = new FakeThread('a.ipynb', root);
    const { contents } = desk.manager;
    const binding = new ThreadBinding(thread, desk.tracker, contents);
    expect(binding.panel).toBe(found ? desk.panel : null);
    binding.dispose();
  });
});
