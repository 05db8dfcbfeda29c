import { OutputAreaModel } from '@jupyterlab/outputarea';

import { CellOutputs } from '../../src/notebook/cellOutputs';
import { asInCell } from '../../src/notebook/outputs';
import { toNotebook, type WholeOutput } from '../../src/render/nbformat';
import { Desk, ignoreYjs } from './desk';
import { Dice } from './dice';

function out(text: string): WholeOutput {
  return { output_type: 'stream', name: 'stdout', text };
}

/** What an output area shows of outputs that it gets at once. */
function shown(outputs: readonly WholeOutput[]): unknown {
  const area = new OutputAreaModel({ values: outputs.map(toNotebook) });
  const all = area.toJSON();
  area.dispose();
  return all;
}

describe('the outputs of a live cell', () => {
  ignoreYjs();
  let desk: Desk;
  let outputs: CellOutputs;

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb');
    outputs = new CellOutputs();
  });

  afterEach(() => desk.close());

  it('are found as they are by a second writer, and not written again', () => {
    outputs.write(desk.cell('a'), [out('hello')]);
    const live = desk.cell('a').outputs;
    const item = live.get(0);
    new CellOutputs().finish(desk.cell('a'), [out('hello')]);
    expect(live.get(0)).toBe(item);
  });

  it('are completed by a writer that finds a part of them', () => {
    outputs.write(desk.cell('a'), [out('hel')]);
    new CellOutputs().write(desk.cell('a'), [out('hello')]);
    expect(desk.text('a')).toBe('hello');
  });

  it('are not written where somebody else cleared them', () => {
    outputs.write(desk.cell('a'), [out('hello')]);
    desk.cell('a').outputs.clear();
    expect(outputs.write(desk.cell('a'), [out('hello you')])).toBe(false);
    expect(desk.text('a')).toBe('');
  });

  it('resolve a carriage return across pieces', () => {
    outputs.write(desk.cell('a'), [out('10%')]);
    outputs.write(desk.cell('a'), [out('10%\r20%')]);
    outputs.finish(desk.cell('a'), [out('10%\r20%\r100%\n')]);
    expect(desk.text('a')).toBe('100%\n');
  });

  it.each(Array.from({ length: 10 }, (_, seed) => seed + 1))(
    'are the same in view, document and journal, wherever cells move (seed %d)',
    seed => {
      const dice = new Dice(seed);
      let wanted: WholeOutput[] = [];
      for (let step = 0; step < 60; step++) {
        wanted = change(wanted, dice);
        if (dice.below(4) === 0) {
          desk.move(dice.of(desk.ids), dice.below(3));
        }
        expect(outputs.write(desk.cell('a'), asInCell(wanted, null))).toBe(
          true
        );
      }
      const next = asInCell(wanted, null);
      outputs.finish(desk.cell('a'), next);
      expect(desk.cell('a').outputs.toJSON()).toEqual(shown(next));
      expect(desk.cell('a').sharedModel.getOutputs()).toEqual(shown(next));
    }
  );
});

/** What a kernel may do to its outputs in one message. */
function change(outputs: readonly WholeOutput[], dice: Dice): WholeOutput[] {
  const text = dice.of(['word ', 'line\n', '\rover', '\b', '50%\r', 'é🐍']);
  const last = outputs.at(-1);
  switch (dice.below(8)) {
    case 0:
      return [...outputs, show(`${dice.below(1_000)}`)];
    case 1:
      return outputs.map(output =>
        output.output_type === 'display_data' && dice.below(2) === 0
          ? show(`${dice.below(1_000)}`)
          : output
      );
    case 2:
      return dice.below(5) === 0 ? [] : [...outputs];
    case 3:
      return [...outputs, { output_type: 'stream', name: 'stderr', text }];
    default:
      return last?.output_type === 'stream'
        ? [...outputs.slice(0, -1), { ...last, text: last.text + text }]
        : [...outputs, out(text)];
  }
}

function show(text: string): WholeOutput {
  const data = { 'text/plain': text };
  return { output_type: 'display_data', data, metadata: {}, display_id: null };
}
