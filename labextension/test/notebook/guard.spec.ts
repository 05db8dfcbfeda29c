import type { Output } from '../../src/protocol/generated';
import { until } from '../support/until';
import { Bench } from './bench';
import { ignoreYjs, notebook } from './desk';

const THEIRS = notebook(['theirs']).cells;

/** Every change that a document gets of a cell that is in it already, and how to tell it was made. */
const CHANGES = {
  mark: {
    make: (bench: Bench) =>
      bench.thread.tell('cell.reviewed', { run_id: 'run-x', verdict: 'kept' }),
    made: (bench: Bench) => bench.mark('x')?.reviewed === true
  },
  output: {
    make: (bench: Bench) => {
      const output: Output = {
        output_type: 'stream',
        name: 'stdout',
        text: 'text'
      };
      const run_id = 'run-x';
      bench.thread.tell('output.added', { run_id, index: 0, output });
    },
    made: (bench: Bench) => bench.desk.text('x') === 'text'
  },
  removal: {
    make: (bench: Bench) =>
      bench.thread.tell('cell.reviewed', {
        run_id: 'run-x',
        verdict: 'undone'
      }),
    made: (bench: Bench) => !bench.desk.ids.includes('x')
  }
};
const EACH = Object.entries(CHANGES).map(([name, one]) => ({ name, ...one }));

describe('a document without unsaved changes', () => {
  ignoreYjs();
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.open();
    await bench.put('x', 'a');
    await bench.save('x');
  });

  afterEach(() => bench.close());

  it.each(EACH)(
    'gets no $name before its file, which moved on, was read again',
    async ({ make, made }) => {
      const file = await bench.desk.file();
      const cells = [...file.cells, ...THEIRS];
      await bench.desk.writeFile({ ...file, cells });
      make(bench);
      await until(() => made(bench), 'it is made');
      expect(bench.desk.ids).toContain('theirs');
    }
  );

  it.each(EACH)(
    'that can only be read gets no $name',
    async ({ make, made }) => {
      const model = { ...bench.desk.context.contentsModel!, writable: false };
      jest
        .spyOn(bench.desk.context, 'contentsModel', 'get')
        .mockReturnValue(model);
      make(bench);
      await until(
        () => bench.writer.problem?.kind === 'read_only',
        'it is said'
      );
      expect(made(bench)).toBe(false);
      expect(bench.desk.model.dirty).toBe(false);
    }
  );
});

describe('a document with unsaved changes', () => {
  ignoreYjs();

  it('whose file moved on goes on with the cell that it has', async () => {
    const bench = await Bench.open();
    await bench.put('x', 'a');
    await bench.desk.writeFile(notebook(['a', 'theirs']));
    bench.thread.print('x', 'text');
    await bench.end('x');
    expect(bench.desk.text('x')).toBe('text');
    expect(bench.writer.problem).toBeNull();
    bench.close();
  });
});
