import type { Output } from '../../src/protocol/generated';
import { ended, Paper, told, wanted } from './paper';

const TEXT: Output = { output_type: 'stream', name: 'stdout', text: 'hello\n' };

describe('a verdict', () => {
  it('undone takes an untouched cell out, once', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x', { outputs: [TEXT] }));
    paper.settle([cell]);
    paper.settle([{ ...cell, verdict: 'undone' }]);
    expect(paper.ids).toEqual(['a']);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('undone leaves a changed cell, and says so', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x'));
    paper.settle([cell]);
    paper.get('x').source = 'x = 2';
    paper.settle([{ ...cell, verdict: 'undone' }]);
    expect(paper.ids).toEqual(['a', 'x']);
    expect(told(paper, cell)).toEqual(['in_document', 'edited_since']);
  });

  it('undone, and the person brought it back: it is kept', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x'));
    paper.settle([cell]);
    const kept = { ...paper.get('x') };
    paper.settle([{ ...cell, verdict: 'undone' }]);
    paper.cells.push(kept);
    paper.settle([{ ...cell, verdict: 'undone' }]);
    expect(paper.ids).toEqual(['a', 'x']);
    expect(told(paper, cell)).toEqual(['in_document', 'in_document', 'kept']);
  });

  it('undone is carried out in a file that still holds the cell', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x'));
    paper.settle([cell]);
    paper.save();
    paper.reload();
    paper.settle([{ ...cell, placed: 'in_file', verdict: 'undone' }]);
    expect(paper.ids).toEqual(['a']);
  });

  it('kept is written into the cell, even one that the person changed', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x'));
    paper.settle([cell]);
    paper.get('x').source = 'x = 2';
    paper.settle([ended(wanted('x', { verdict: 'kept' }))]);
    expect(paper.get('x').mark?.reviewed).toBe(true);
  });
});

describe('a failed attempt', () => {
  const failed = ended(wanted('bad', { after: 'a' }), { status: 'error' });
  const repair = wanted('good', {
    after: 'bad',
    replaces: 'bad',
    supersedes: ['bad']
  });

  it('gives its place to the repair, in one edit', () => {
    const paper = new Paper('a', 'b');
    paper.settle([failed]);
    paper.look([repair]);
    expect(paper.edits[0]).toMatchObject({ kind: 'insert', replaces: ['bad'] });
    expect(paper.ids).toEqual(['a', 'good', 'b']);
  });

  it('stays before the repair if the person touched it', () => {
    const paper = new Paper('a', 'b');
    paper.settle([failed]);
    paper.get('bad').source = 'mine';
    paper.settle([repair]);
    expect(paper.ids).toEqual(['a', 'bad', 'good', 'b']);
  });

  it('stays if the person ran it again', () => {
    const paper = new Paper('a', 'b');
    paper.settle([failed]);
    paper.run('bad', 3);
    paper.settle([repair]);
    expect(paper.ids).toEqual(['a', 'bad', 'good', 'b']);
  });

  it('that the person brought back by undo stays', () => {
    const paper = new Paper('a', 'b');
    paper.settle([failed]);
    const bad = { ...paper.get('bad') };
    paper.settle([repair]);
    paper.delete('good');
    paper.cells.splice(1, 0, bad);
    paper.settle([ended(repair)]);
    expect(paper.ids).toEqual(['a', 'bad', 'b']);
    expect(told(paper, repair)).toEqual(['in_document', 'deleted_by_user']);
  });

  it('gives its place to the last of several repairs after a reload', () => {
    const paper = new Paper('a', 'b');
    paper.settle([failed]);
    paper.save();
    paper.reload();
    const last = wanted('best', {
      after: 'a',
      replaces: 'good',
      supersedes: ['bad', 'good']
    });
    paper.settle([last]);
    expect(paper.ids).toEqual(['a', 'best', 'b']);
  });

  it('that changed something stays, and is folded once a later run worked', () => {
    const paper = new Paper('a');
    const later = wanted('good', { after: 'bad' });
    paper.settle([failed, later]);
    expect(paper.get('bad').folded).toBe(false);
    paper.settle([failed, ended(later)]);
    expect(paper.get('bad').folded).toBe(true);
    expect(paper.ids).toEqual(['a', 'bad', 'good']);
  });

  it('that the person unfolded is not folded again', () => {
    const paper = new Paper('a');
    const cells = [failed, ended(wanted('good', { after: 'bad' }))];
    paper.settle(cells);
    paper.get('bad').folded = false;
    paper.save();
    paper.reload();
    paper.settle(cells);
    expect(paper.get('bad').folded).toBe(false);
  });
});

describe('a run that was tried again in the same cell', () => {
  const first = ended(wanted('x'), { status: 'not_run', executionCount: null });
  const again = { ...wanted('x', { runId: 'run-again' }), executionCount: 2 };

  it('keeps the cell and gets the outputs', () => {
    const paper = new Paper('a');
    paper.settle([first]);
    paper.settle([ended(again, { outputs: [TEXT] })]);
    expect(paper.ids).toEqual(['a', 'x']);
    expect(paper.get('x')).toMatchObject({
      count: 2,
      outputs: [TEXT],
      mark: { run: 'run-again', status: 'ok' }
    });
    expect(told(paper, again)).toEqual(['in_document']);
  });
});
