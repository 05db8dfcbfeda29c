import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { Cell } from '@jupyterlab/cells';
import type { IDocumentManager } from '@jupyterlab/docmanager';
import { type Notebook, NotebookActions } from '@jupyterlab/notebook';
import { CommandRegistry } from '@lumino/commands';
import type { Signal } from '@lumino/signaling';

import { OpenNotebooks } from '../../src/notebook/openNotebooks';
import { until } from '../support/until';
import { Desk, ignoreYjs, notebook } from './desk';

describe('the notebooks open in this page', () => {
  ignoreYjs();
  let desk: Desk;
  let notebooks: OpenNotebooks;
  let activated: string[];
  let opened: string[];
  let commands: CommandRegistry;

  beforeEach(async () => {
    desk = await Desk.open('folder/a.ipynb', ['a', 'b']);
    [activated, opened] = [[], []];
    commands = new CommandRegistry();
    notebooks = new OpenNotebooks({
      rootId: () => '',
      tracker: desk.tracker,
      docManager: makeDocManager(),
      commands,
      shell: {
        activateById: (id: string) => activated.push(id)
      } as unknown as JupyterFrontEnd.IShell
    });
  });

  afterEach(() => {
    notebooks.dispose();
    desk.close();
  });

  /** As much of a document manager as is asked for, over the desk's server. */
  function makeDocManager(): IDocumentManager {
    return {
      services: desk.manager,
      openOrReveal: (path: string) => {
        opened.push(path);
        return desk.panel;
      },
      newUntitled: (options: object) =>
        desk.manager.contents.newUntitled(options)
    } as unknown as IDocumentManager;
  }

  it('are found by their path, in whichever tab', () => {
    expect(notebooks.find('folder/a.ipynb')).toMatchObject({
      path: 'folder/a.ipynb',
      kernelName: null,
      language: 'python',
      kernelBusy: false
    });
    expect(notebooks.find('other.ipynb')).toBeNull();
    expect(notebooks.look('other.ipynb', null)).toEqual({});
    expect([...notebooks.cells('folder/a.ipynb')!.digests.keys()]).toEqual([
      'a',
      'b'
    ]);
    expect(notebooks.cells('other.ipynb')).toBeNull();
  });

  it('are looked at with target, anchor and outline', () => {
    desk.panel.content.activeCellIndex = 1;
    expect(notebooks.look('folder/a.ipynb', null)).toMatchObject({
      target: { notebook: { path: 'folder/a.ipynb' } },
      anchor: 'b',
      outline: { total: 2 }
    });
  });

  describe('whose file was changed in another tab', () => {
    const PATH = 'folder/a.ipynb';
    const cells = () =>
      notebooks.look(PATH, null).outline?.cells?.map(cell => cell.cell_id);

    beforeEach(() => desk.writeFile(notebook(['a', 'z', 'b'])));

    it('are read again, so that the model hears of the cells that are there', async () => {
      expect(cells()).toEqual(['a', 'b']);
      expect(await notebooks.catchUp(PATH)).toBe('level');
      expect(cells()).toEqual(['a', 'z', 'b']);
    });

    it('are left alone where something is unsaved', async () => {
      desk.type(0, 'mine');
      expect(await notebooks.catchUp(PATH)).toBe('behind');
      expect(cells()).toEqual(['mine', 'a', 'b']);
    });

    it('are left alone while a cell of the person’s runs, whose output would be lost', async () => {
      const { content } = desk.panel;
      const signal = NotebookActions.executionScheduled as unknown as Signal<
        unknown,
        { notebook: Notebook; cell: Cell }
      >;
      signal.emit({ notebook: content, cell: content.widgets[0] });
      desk.cell('a').executionState = 'running';
      expect(desk.model.dirty).toBe(false);
      expect(await notebooks.catchUp(PATH)).toBe('behind');
      expect(cells()).toEqual(['a', 'b']);
    });

    it('are read once for two messages', async () => {
      const revert = jest.spyOn(desk.context, 'revert');
      const [one, two] = [notebooks.catchUp(PATH), notebooks.catchUp(PATH)];
      expect([await one, await two]).toEqual(['level', 'level']);
      expect(revert).toHaveBeenCalledTimes(1);
      expect(cells()).toEqual(['a', 'z', 'b']);
    });
  });

  it('are not read again where nothing changed, or where they are not open', async () => {
    const revert = jest.spyOn(desk.context, 'revert');
    expect(await notebooks.catchUp('folder/a.ipynb')).toBe('level');
    expect(notebooks.catchUp('other.ipynb')).toBeNull();
    expect(revert).not.toHaveBeenCalled();
  });

  it('say when a path changes', async () => {
    let changed = 0;
    notebooks.changed.connect(() => changed++);
    await desk.manager.contents.rename('folder/a.ipynb', 'folder/b.ipynb');
    await until(() => changed > 0, 'it is said');
    expect(notebooks.find('folder/b.ipynb')).not.toBeNull();
  });

  it('are brought to the front at a cell', async () => {
    expect(await notebooks.goToCell('folder/a.ipynb', 'b')).toBe(true);
    expect(desk.panel.content.activeCellIndex).toBe(1);
    expect(activated).toEqual([desk.panel.id]);
  });

  it('say if a cell or a notebook is not there', async () => {
    expect(await notebooks.goToCell('folder/a.ipynb', 'nope')).toBe(false);
    expect(await notebooks.goToCell('other.ipynb', 'b')).toBe(false);
  });

  it('are opened if the file is there, and else say so in a sentence', async () => {
    await notebooks.open('folder/a.ipynb');
    expect(opened).toEqual(['folder/a.ipynb']);
    await expect(notebooks.open('nowhere.ipynb')).rejects.toThrow(
      'There is no file nowhere.ipynb.'
    );
    expect(opened).toHaveLength(1);
  });

  it('are made on demand', async () => {
    await notebooks.create();
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatch(/\.ipynb$/);
  });

  it('get a kernel only on demand, and one', async () => {
    expect(notebooks.find('folder/a.ipynb')?.target.kernel_id).toBeNull();
    await notebooks.startKernel('folder/a.ipynb');
    const first = notebooks.find('folder/a.ipynb')?.target.kernel_id;
    expect(first).toEqual(expect.any(String));
    await notebooks.startKernel('folder/a.ipynb');
    expect(notebooks.find('folder/a.ipynb')?.target.kernel_id).toBe(first);
  });

  it('are not started if they are not open here', async () => {
    await expect(notebooks.startKernel('other.ipynb')).rejects.toThrow(
      'other.ipynb is not open here.'
    );
  });

  it('are chosen from the files, where there is a file browser', async () => {
    let shown = 0;
    await notebooks.browse();
    commands.addCommand('filebrowser:activate', { execute: () => shown++ });
    await notebooks.browse();
    expect(shown).toBe(1);
  });
});
