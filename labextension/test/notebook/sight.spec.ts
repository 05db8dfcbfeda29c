import { applyEdit } from '../../src/notebook/edits';
import { Presence } from '../../src/notebook/presence';
import { makeMark } from '../../src/notebook/provenance';
import { sha256 } from '../../src/notebook/sha256';
import {
  anchorOf,
  digestsOf,
  outlineOf,
  personsHash
} from '../../src/notebook/sight';
import { targetOf } from '../../src/notebook/target';
import { Desk, ignoreYjs } from './desk';
import { wanted } from './paper';

describe('what this page sees of a notebook', () => {
  ignoreYjs();
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.open('folder/a.ipynb', ['a', 'b']);
  });

  afterEach(() => desk.close());

  function insert(name: string, index: number): void {
    const cell = wanted(name);
    const mark = makeMark(cell, null, {});
    applyEdit(desk.model, { kind: 'insert', cell, index, replaces: [], mark });
  }

  it('has what is not saved, what came out, and whose cells they are', () => {
    insert('x', 1);
    desk.cell('x').outputs.fromJSON([
      { output_type: 'stream', name: 'stdout', text: 'hello\n' },
      {
        output_type: 'display_data',
        data: { 'image/png': 'iVBO' },
        metadata: {}
      },
      {
        output_type: 'error',
        ename: 'ValueError',
        evalue: 'no',
        traceback: ['long']
      }
    ]);
    const { cells, total } = outlineOf(desk.panel, null);
    expect(total).toBe(3);
    expect(cells?.map(cell => cell.cell_id)).toEqual(['a', 'x', 'b']);
    expect(cells?.[1]).toMatchObject({
      by_cave_lab: true,
      source: 'x = 1',
      sha256: sha256('x = 1'),
      output: { head: 'hello\n\n[image/png]\nValueError: no' }
    });
  });

  it('reads printed text, not the kind of it, where models have no text of their own', () => {
    const { outputs } = desk.cell('a');
    outputs.fromJSON([
      { output_type: 'stream', name: 'stdout', text: 'one\ntwo\n' }
    ]);
    Object.defineProperty(outputs.get(0), 'streamText', { value: undefined });
    const { cells } = outlineOf(desk.panel, null);
    expect(cells?.[0].output?.head).toBe('one\ntwo\n');
  });

  it('does not call a copy ours', () => {
    insert('x', 1);
    const copy = desk.cell('x').sharedModel.toJSON();
    desk.model.sharedModel.insertCell(2, { ...copy, id: 'copy' });
    const { cells } = outlineOf(desk.panel, null);
    expect(cells?.map(cell => cell.by_cave_lab ?? false)).toEqual([
      false,
      true,
      false,
      false
    ]);
  });

  it('has the cell that the person is in as its anchor', () => {
    Presence.of(desk.panel);
    desk.panel.content.activeCellIndex = 1;
    expect(anchorOf(desk.panel, null)).toBe('b');
    desk.panel.content.activeCellIndex = 0;
    expect(anchorOf(desk.panel, null)).toBe('a');
  });

  it('has not the first cell as its anchor only because the notebook was opened', () => {
    expect(anchorOf(desk.panel, null)).toBe('b');
    desk.cell('a').executionCount = 1;
    expect(anchorOf(desk.panel, null)).toBe('a');
  });

  it('has the thread’s own last cell as its anchor before the person was anywhere', () => {
    insert('x', 1);
    desk.cell('b').executionCount = 7;
    expect(anchorOf(desk.panel, 'thread')).toBe('x');
    expect(anchorOf(desk.panel, 'another')).toBe('b');
  });

  it('has a hash that only the person changes', () => {
    const before = personsHash(desk.panel);
    insert('x', 1);
    expect(personsHash(desk.panel)).toBe(before);
    desk.cell('x').sharedModel.setSource('x = 2');
    const edited = personsHash(desk.panel);
    expect(edited).not.toBe(before);
    desk.type(0, 'mine');
    expect(personsHash(desk.panel)).not.toBe(edited);
  });

  it('names the notebook by its path below the root, without a drive', () => {
    const { contents } = desk.manager;
    expect(targetOf(desk.panel, contents, 'root-1')).toEqual({
      notebook: { root_id: 'root-1', path: 'folder/a.ipynb' },
      session_id: null,
      kernel_id: null,
      language: 'python'
    });
  });

  it('has the digest of each cell as it stands, saved or not', () => {
    desk.cell('a').sharedModel.setSource('x = 2');
    const digests = digestsOf(desk.panel);
    expect([...digests.keys()]).toEqual(['a', 'b']);
    expect(digests.get('a')).toBe(sha256('x = 2'));
  });
});
