import { NotebookWriter } from '../../src/notebook/writer';
import type { Output } from '../../src/protocol/generated';
import { until } from '../support/until';
import { Desk, ignoreYjs, notebook } from './desk';
import { FakeThread } from './fakeThread';

const PLOT: Output = {
  output_type: 'display_data',
  data: { 'text/plain': 'plot' },
  metadata: {},
  display_id: null
};

describe('the writer of a thread', () => {
  ignoreYjs();
  let desk: Desk;
  let thread: FakeThread;
  let writer: NotebookWriter;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
    thread = new FakeThread('a.ipynb');
    writer = makeWriter();
  });

  afterEach(() => {
    writer.dispose();
    desk.close();
  });

  function makeWriter(): NotebookWriter {
    return new NotebookWriter({
      thread,
      tracker: desk.tracker,
      contents: desk.manager.contents,
      fetchBlob: () => Promise.resolve(JSON.stringify(PLOT)),
      following: () => false
    });
  }

  const run = (name: string) => thread.state?.runs[`run-${name}`];

  async function placed(
    name: string,
    level: 'in_document' | 'in_file' = 'in_document'
  ): Promise<void> {
    await until(() => run(name)?.placed === level, `${name} is ${level}`);
  }

  async function put(name: string, after: string | null): Promise<void> {
    thread.run(name, `${name} = 1`, after);
    await placed(name);
  }

  async function status(name: string, value: string): Promise<void> {
    const mark = () => desk.cell(name).getMetadata('cave_lab') as unknown;
    await until(
      () => (mark() as { status?: string } | undefined)?.status === value,
      `${name} is marked ${value}`
    );
  }

  it('puts a cell in, says so, and shows that it runs', async () => {
    await put('x', 'a');
    expect(desk.ids).toEqual(['a', 'x', 'b', 'c']);
    expect(desk.cell('x').executionState).toBe('running');
    expect(thread.asked('cell.placed')).toMatchObject([
      { run_id: 'run-x', cell_id: 'x', level: 'in_document' }
    ]);
  });

  it('streams outputs and finishes with count and state', async () => {
    await put('x', 'a');
    for (let line = 0; line < 20; line++) {
      thread.print('x', `line ${line}\n`);
    }
    thread.tell('output.added', { run_id: 'run-x', index: 1, output: PLOT });
    thread.end('x', 7);
    await status('x', 'ok');
    expect(desk.text('x')).toMatch(/^line 0\n[^]*line 19\n<display_data>$/);
    expect(desk.cell('x')).toMatchObject({
      executionCount: 7,
      executionState: 'idle'
    });
  });

  it('says what a save put into the file, and saves nothing itself', async () => {
    await put('x', 'a');
    thread.end('x', 1);
    await status('x', 'ok');
    expect((await desk.file()).cells).toHaveLength(3);
    await desk.context.save();
    await placed('x', 'in_file');
    const file = await desk.file();
    expect(file.cells.map(cell => cell.id)).toEqual(['a', 'x', 'b', 'c']);
  });

  it('writes outputs that travel as references', async () => {
    await put('x', 'a');
    const output: Output = {
      output_type: 'blob',
      blob: 'sha',
      of: 'display_data',
      size: 70_000,
      mime_types: ['image/png']
    };
    thread.tell('output.added', { run_id: 'run-x', index: 0, output });
    thread.end('x', 1);
    await status('x', 'ok');
    expect(desk.text('x')).toBe('<display_data>');
  });

  it('inserts again after a revert, and not after a deletion', async () => {
    await put('x', 'a');
    await put('y', 'x');
    desk.delete('y');
    await until(() => run('y')?.verdict === 'deleted_by_user', 'y is deleted');
    await desk.context.revert();
    await until(() => desk.ids.includes('x'), 'x is back');
    expect(desk.ids).toEqual(['a', 'x', 'b', 'c']);
    expect(run('x')?.verdict).toBeNull();
  });

  it('goes on in a cell that was moved', async () => {
    await put('x', 'a');
    thread.print('x', 'one\n');
    desk.move('x', 3);
    thread.print('x', 'two\n');
    thread.end('x', 1);
    await status('x', 'ok');
    expect(desk.ids).toEqual(['a', 'b', 'c', 'x']);
    expect(desk.text('x')).toBe('one\ntwo\n');
  });

  it('leaves a cell alone that the person edits', async () => {
    await put('x', 'a');
    desk.cell('x').sharedModel.setSource('x = 2');
    await until(() => run('x')?.verdict === 'edited_since', 'it is noticed');
    thread.print('x', 'text\n');
    thread.end('x', 1);
    await status('x', 'ok');
    expect(desk.text('x')).toBe('');
    expect(desk.cell('x')).toMatchObject({
      executionCount: null,
      executionState: 'idle'
    });
  });

  it('takes an undone cell out as one step', async () => {
    await put('x', 'a');
    thread.end('x', 1);
    await status('x', 'ok');
    thread.tell('cell.reviewed', { run_id: 'run-x', verdict: 'undone' });
    await until(() => !desk.ids.includes('x'), 'x is out');
    desk.model.sharedModel.undo();
    await until(() => run('x')?.verdict === 'kept', 'it is kept');
    expect(desk.ids).toEqual(['a', 'x', 'b', 'c']);
  });

  it('puts a repair in the place of the attempt', async () => {
    await put('bad', 'a');
    thread.end('bad', 1, 'error');
    await status('bad', 'error');
    thread.run('good', 'good = 1', 'bad', { repairs: 'run-bad' });
    await placed('good');
    expect(desk.ids).toEqual(['a', 'good', 'b', 'c']);
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['a', 'bad', 'b', 'c']);
  });

  describe('without the lease', () => {
    it('writes nothing, and goes on once it has it', async () => {
      thread.lend('other');
      thread.run('x', 'x = 1', 'a');
      await desk.context.save();
      expect(desk.ids).toEqual(['a', 'b', 'c']);
      thread.lend('me');
      await placed('x');
      expect(desk.ids).toEqual(['a', 'x', 'b', 'c']);
    });

    it('asks for it if nobody has it and there is something to write', async () => {
      thread.lend(null);
      await desk.context.save();
      expect(thread.asked('writer.claim')).toEqual([]);
      thread.run('x', 'x = 1', 'a');
      await placed('x');
      expect(thread.asked('writer.claim')).toHaveLength(1);
    });

    it('takes its [*] back', async () => {
      await put('x', 'a');
      thread.lend('other');
      await until(
        () => desk.cell('x').executionState === 'idle',
        'it no longer shows that it runs'
      );
    });

    it('remembers what the person deletes meanwhile', async () => {
      await put('x', 'a');
      thread.lend('other');
      desk.delete('x');
      await desk.context.save();
      expect(run('x')?.verdict).toBeNull();
      thread.lend('me');
      await until(() => run('x')?.verdict === 'deleted_by_user', 'it is told');
      expect(desk.ids).toEqual(['a', 'b', 'c']);
    });
  });

  it('that comes after another knows what was deleted in between', async () => {
    await put('x', 'a');
    writer.dispose();
    desk.delete('x');
    thread.lend('me');
    writer = makeWriter();
    await until(() => run('x')?.verdict === 'deleted_by_user', 'it is told');
    expect(desk.ids).toEqual(['a', 'b', 'c']);
  });

  it('gives the lease back when the notebook is closed', async () => {
    await put('x', 'a');
    desk.panel.dispose();
    await until(() => thread.lease?.holder === null, 'the lease is free');
  });

  it('reads a file again that moved on, if nothing is unsaved', async () => {
    await desk.writeFile(notebook(['a', 'theirs']));
    await put('x', 'a');
    expect(desk.ids).toEqual(['a', 'x', 'theirs']);
    desk.model.sharedModel.undo();
    desk.model.sharedModel.undo();
    expect(desk.ids).toEqual(['a', 'theirs']);
  });

  it('says so and writes nothing if the file moved on and something is unsaved', async () => {
    desk.type(0, 'mine');
    await desk.writeFile(notebook(['a', 'theirs']));
    thread.run('x', 'x = 1', 'a');
    await until(() => writer.problem?.kind === 'stale', 'it is said');
    expect(desk.ids).toEqual(['mine', 'a', 'b', 'c']);
    await desk.context.revert();
    await placed('x');
    expect(desk.ids).toEqual(['a', 'x', 'theirs']);
    await until(() => writer.problem === null, 'all is well');
  });

  it('tells the server when the notebook is renamed, and goes on', async () => {
    await put('x', 'a');
    await desk.manager.contents.rename('a.ipynb', 'b.ipynb');
    await until(
      () => thread.state?.target.notebook?.path === 'b.ipynb',
      'the thread has the new path'
    );
    await put('y', 'x');
    expect(desk.ids).toEqual(['a', 'x', 'y', 'b', 'c']);
    expect(thread.asked('thread.change')).toHaveLength(1);
  });

  it('inserts nothing into a notebook that the thread was bound to later', async () => {
    const other = await Desk.open('other.ipynb', ['o']);
    await desk.tracker.add(other.panel);
    desk.panel.dispose();
    thread.run('x', 'x = 1', 'a');
    const target = {
      notebook: { root_id: '', path: 'other.ipynb' },
      session_id: 's-2',
      kernel_id: 'k-2',
      language: 'python'
    };
    thread.tell('thread.changed', { target });
    thread.lend('me');
    await put('y', 'o');
    expect(other.ids).toEqual(['o', 'y']);
    other.close();
  });

  it('sends an outline of what the person changes while a turn runs', async () => {
    await put('x', 'a');
    jest.spyOn(Date, 'now').mockImplementation(() => performance.now() + 1e15);
    desk.type(0, 'mine');
    await until(
      () => thread.asked('notebook.outline').length > 0,
      'the outline is sent'
    );
    const [sent] = thread.asked('notebook.outline');
    expect(sent.outline.cells?.map(cell => cell.cell_id)).toEqual([
      'mine',
      'a',
      'x',
      'b',
      'c'
    ]);
  });
});
