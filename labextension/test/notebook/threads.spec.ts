import { NotebookWriter } from '../../src/notebook/writer';
import { until } from '../support/until';
import { Desk, ignoreYjs } from './desk';
import { FakeThread } from './fakeThread';

describe('the writers of several threads in one notebook', () => {
  ignoreYjs();
  let desk: Desk;
  let older: FakeThread;
  let newer: FakeThread;
  let writers: NotebookWriter[];

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
    older = new FakeThread('a.ipynb', '', 'older');
    newer = new FakeThread('a.ipynb', '', 'newer');
    writers = [];
  });

  afterEach(() => {
    writers.forEach(writer => writer.dispose());
    desk.close();
  });

  function write(thread: FakeThread): void {
    const writer = new NotebookWriter({
      thread,
      tracker: desk.tracker,
      contents: desk.manager.contents,
      fetchBlob: () => Promise.reject(new Error('There is no blob.')),
      following: () => false
    });
    writers.push(writer);
  }

  async function placed(thread: FakeThread, name: string): Promise<void> {
    const level = () => thread.state?.runs[`run-${name}`].placed;
    await until(() => level() === 'in_document', `${name} is there`);
  }

  it('put the newer thread’s cells behind the older one’s, though it is read first', async () => {
    older.run('x', 'x = 1', 'a');
    newer.run('y', 'y = 1', 'x');
    newer.run('z', 'z = 1', 'b');
    older.caughtUp = false;
    write(newer);
    write(older);
    await placed(newer, 'z');
    expect(desk.ids).toEqual(['a', 'b', 'z', 'c']);
    older.caughtUp = true;
    older.changed.emit();
    await placed(newer, 'y');
    expect(desk.ids).toEqual(['a', 'x', 'y', 'b', 'z', 'c']);
  });

  it('put cells in all the same if what they follow never becomes known', async () => {
    newer.run('y', 'y = 1', 'gone');
    write(newer);
    await placed(newer, 'y');
    expect(desk.ids).toEqual(['a', 'b', 'c', 'y']);
  });
});
