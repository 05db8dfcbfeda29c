import { CellBars } from '../../src/notebook/cellbar';
import { applyEdit } from '../../src/notebook/edits';
import { type CellMark, makeMark } from '../../src/notebook/provenance';
import { until } from '../support/until';
import { Desk, ignoreYjs } from './desk';
import { wanted } from './paper';

describe('the bar on a cell of ours', () => {
  ignoreYjs();
  let desk: Desk;
  let bars: CellBars;
  let clicks: string[];

  beforeEach(async () => {
    desk = await Desk.open('a.ipynb', ['a', 'b']);
    clicks = [];
    bars = new CellBars({
      tracker: desk.tracker,
      keep: cell => clicks.push(`keep ${cell.threadId} ${cell.runId}`),
      undo: cell => clicks.push(`undo ${cell.threadId} ${cell.cellId}`)
    });
  });

  afterEach(() => {
    bars.dispose();
    desk.close();
  });

  function insert(changes: Partial<Pick<CellMark, 'status'>>): void {
    const cell = wanted('x');
    const mark = makeMark(cell, null, changes);
    applyEdit(desk.model, {
      kind: 'insert',
      cell,
      index: 1,
      replaces: [],
      mark
    });
  }

  function set(changes: Partial<CellMark>): void {
    const old = desk.cell('x').getMetadata('cave_lab') as CellMark;
    const mark = { ...old, ...changes };
    applyEdit(desk.model, { kind: 'mark', cellId: 'x', mark, fold: false });
  }

  const node = (index: number): HTMLElement =>
    desk.panel.content.widgets[index].node;

  const buttons = (index: number): string[] =>
    Array.from(
      node(index).querySelectorAll('.jp-CaveLab-cellBar button'),
      button => button.textContent ?? ''
    );

  async function drawn(...names: string[]): Promise<void> {
    await until(
      () => buttons(1).join() === names.join(),
      `the buttons are ${names.join(' and ')}`
    );
  }

  it('offers to keep or undo a cell that has ended, and no other', async () => {
    insert({ status: 'ok' });
    await drawn('Keep', 'Undo');
    expect(node(1).classList).toContain('jp-CaveLab-cell');
    expect(node(0).classList).not.toContain('jp-CaveLab-cell');
    expect(buttons(0)).toEqual([]);
  });

  it('says whose cell it is while that runs', async () => {
    insert({ status: 'running' });
    await until(
      () => node(1).textContent?.includes('CaveLab') === true,
      'said'
    );
    expect(buttons(1)).toEqual([]);
    set({ status: 'ok' });
    await drawn('Keep', 'Undo');
  });

  it('calls a folded attempt by its name', async () => {
    insert({ status: 'error' });
    set({ folded: true });
    await until(
      () => node(1).textContent?.includes('failed attempt') === true,
      'it is named'
    );
    expect(node(1).classList).toContain('jp-mod-failed');
  });

  it('passes on which cell was meant', async () => {
    insert({ status: 'ok' });
    await drawn('Keep', 'Undo');
    node(1)
      .querySelectorAll<HTMLElement>('.jp-CaveLab-cellBar button')
      .forEach(button => button.click());
    expect(clicks).toEqual(['keep thread run-x', 'undo thread x']);
  });

  it('goes once the cell is kept', async () => {
    insert({ status: 'ok' });
    await drawn('Keep', 'Undo');
    set({ reviewed: true });
    await drawn();
    expect(node(1).classList).toContain('jp-mod-kept');
  });

  it('is not on a copy', async () => {
    insert({ status: 'ok' });
    const copy = desk.cell('x').sharedModel.toJSON();
    desk.model.sharedModel.insertCell(2, { ...copy, id: 'copy' });
    await drawn('Keep', 'Undo');
    expect(buttons(2)).toEqual([]);
  });

  it('follows a cell that is moved', async () => {
    insert({ status: 'ok' });
    await drawn('Keep', 'Undo');
    desk.move('x', 2);
    await until(() => buttons(2).length === 2, 'the moved cell has it');
  });

  it('is gone with the plugin', async () => {
    insert({ status: 'ok' });
    await drawn('Keep', 'Undo');
    bars.dispose();
    expect(buttons(1)).toEqual([]);
    expect(node(1).classList).not.toContain('jp-CaveLab-cell');
  });
});
