import type { Output } from '../../src/protocol/generated';
import { ended, Paper, told, wanted } from './paper';

const TEXT: Output = { output_type: 'stream', name: 'stdout', text: 'hello\n' };
const MORE: Output = { output_type: 'stream', name: 'stderr', text: 'more\n' };

describe('a cell that is absent', () => {
  it('is inserted after the cell it follows, running, with its mark', () => {
    const paper = new Paper('a', 'b');
    paper.look([wanted('x', { after: 'a' })]);
    expect(paper.ids).toEqual(['a', 'x', 'b']);
    expect(paper.get('x')).toMatchObject({
      source: 'x = 1',
      running: true,
      mark: { cell_id: 'x', run: 'run-x', status: 'running' }
    });
  });

  it('is left alone while it runs where models do not say what runs', () => {
    const paper = new Paper('a');
    paper.saysWhatRuns = false;
    const cell = wanted('x');
    paper.settle([cell]);
    paper.look([cell]);
    expect(paper.edits).toEqual([]);
  });

  it('is reported in the document only once the document confirms it', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.look([cell]);
    expect(told(paper, cell)).toEqual([]);
    paper.look([cell]);
    paper.look([cell]);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('is reported in the file once a save held it, and not again', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.save();
    paper.look([cell]);
    paper.look([{ ...cell, placed: 'in_document' }]);
    expect(told(paper, cell)).toEqual(['in_document', 'in_file']);
  });

  it('is inserted again with its outputs after a reload, if it was never saved', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { after: 'a', outputs: [TEXT] });
    paper.settle([cell]);
    paper.reload();
    paper.settle([ended(cell, { placed: 'in_document' })]);
    expect(paper.ids).toEqual(['a', 'x']);
    expect(paper.get('x')).toMatchObject({
      count: 1,
      outputs: [TEXT],
      running: false,
      mark: { status: 'ok' }
    });
  });

  it('is inserted again after a revert in the same page, which is no deletion', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.revert();
    paper.settle([cell], true);
    expect(paper.ids).toEqual(['a', 'x']);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('is never inserted again once it was in the file', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { placed: 'in_file' });
    paper.settle([cell]);
    paper.settle([cell], true);
    expect(paper.ids).toEqual(['a']);
  });

  it('is not inserted while another tab is the writer', () => {
    const paper = new Paper('a');
    paper.look([wanted('x')], { writable: false });
    expect(paper.ids).toEqual(['a']);
    expect(paper.reports).toEqual([]);
  });

  it('brings the format up to cell ids before the first insertion', () => {
    const paper = new Paper('a');
    paper.minor = 4;
    paper.look([wanted('x')]);
    expect(paper.edits.map(edit => edit.kind)).toEqual([
      'upgrade_minor',
      'insert',
      'state',
      'outputs'
    ]);
  });

  it('leaves the format of a notebook alone that gets no cell', () => {
    const paper = new Paper('a');
    paper.minor = 4;
    paper.look([wanted('x', { placed: 'in_file' })]);
    expect(paper.edits).toEqual([]);
  });
});

describe('a cell that the person deleted', () => {
  it('stays deleted, and the server is told once', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.delete('x');
    paper.settle([cell]);
    paper.settle([ended(cell)]);
    expect(paper.ids).toEqual(['a']);
    expect(told(paper, cell)).toEqual(['in_document', 'deleted_by_user']);
  });

  it('stays deleted when the document is reverted afterwards', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.delete('x');
    paper.settle([cell]);
    paper.revert();
    paper.settle([cell], true);
    expect(paper.ids).toEqual(['a']);
  });

  it('stays deleted after a reload, by what the server was told', () => {
    const paper = new Paper('a');
    paper.settle([
      wanted('x', { placed: 'in_document', verdict: 'deleted_by_user' })
    ]);
    expect(paper.ids).toEqual(['a']);
  });

  it('is remembered while another tab is the writer, and told later', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.delete('x');
    paper.look([cell], { writable: false });
    expect(told(paper, cell)).toEqual(['in_document']);
    paper.settle([cell]);
    expect(paper.ids).toEqual(['a']);
    expect(told(paper, cell)).toEqual(['in_document', 'deleted_by_user']);
  });

  it('is ours again when the person undoes the deletion', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    const kept = { ...paper.get('x') };
    paper.delete('x');
    paper.settle([cell]);
    paper.cells.push(kept);
    const gone = { ...cell, verdict: 'deleted_by_user' as const };
    paper.settle([ended(gone, { outputs: [TEXT] })]);
    expect(paper.get('x').outputs).toEqual([TEXT]);
    expect(told(paper, cell)).toEqual([
      'in_document',
      'deleted_by_user',
      'in_document'
    ]);
  });
});

describe('a cell whose text the person changed', () => {
  it('keeps their text, and gets no more outputs', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { outputs: [TEXT] });
    paper.settle([cell]);
    paper.get('x').source = 'x = 2';
    paper.settle([ended(cell, { outputs: [TEXT, MORE] })]);
    expect(paper.get('x')).toMatchObject({ source: 'x = 2', outputs: [TEXT] });
    expect(told(paper, cell)).toEqual(['in_document', 'edited_since']);
  });

  it('does not go on showing that it runs', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.get('x').source = 'x = 2';
    paper.settle([cell]);
    expect(paper.get('x').running).toBe(false);
  });

  it('is not called edited for its line ends', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { code: 'x = 1\r\ny = 2' });
    paper.settle([cell]);
    paper.get('x').source = 'x = 1\ny = 2';
    paper.settle([cell]);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('is the person’s if they kept it before: the verdict stands', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { verdict: 'kept' });
    paper.settle([cell]);
    paper.get('x').source = 'x = 2';
    paper.settle([cell]);
    expect(told(paper, cell)).toEqual(['in_document']);
  });

  it('is followed again when the text is what it was', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.get('x').source = 'x = 1#';
    paper.settle([cell]);
    paper.get('x').source = 'x = 1';
    paper.settle([ended(cell, { outputs: [TEXT] })]);
    expect(paper.get('x').outputs).toEqual([TEXT]);
  });
});

describe('outputs', () => {
  it('follow the run, with count and state', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.look([{ ...cell, executionCount: 7, outputs: [TEXT] }]);
    expect(paper.get('x')).toMatchObject({
      count: 7,
      running: true,
      outputs: [TEXT]
    });
    paper.settle([ended(cell, { executionCount: 7, outputs: [TEXT, MORE] })]);
    expect(paper.get('x')).toMatchObject({
      running: false,
      outputs: [TEXT, MORE],
      mark: { status: 'ok' }
    });
  });

  it('that come after the end are added', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x', { outputs: [TEXT] }));
    paper.settle([cell]);
    paper.settle([{ ...cell, outputs: [TEXT, MORE] }]);
    expect(paper.get('x').outputs).toEqual([TEXT, MORE]);
  });

  it('are left alone once the person ran the cell again', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x', { outputs: [TEXT] }));
    paper.settle([cell]);
    paper.run('x', 9);
    paper.settle([{ ...cell, outputs: [TEXT, MORE] }]);
    expect(paper.get('x')).toMatchObject({ count: 9, outputs: ['theirs'] });
  });

  it('are left alone when the person runs the cell while it streams', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.get('x').personRan = true;
    paper.look([{ ...cell, executionCount: 4, outputs: [TEXT] }]);
    expect(paper.edits).toEqual([]);
  });

  it('are left alone when the person cleared them', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x', { outputs: [TEXT] }));
    paper.settle([cell]);
    paper.clearOutputs('x');
    paper.settle([{ ...cell, outputs: [TEXT, MORE] }]);
    expect(paper.get('x')).toMatchObject({ count: null, outputs: [] });
  });

  it('are left alone when a look at them found somebody else’s', () => {
    const paper = new Paper('a');
    const cell = wanted('x');
    paper.settle([cell]);
    paper.release('x');
    paper.settle([{ ...cell, outputs: [TEXT] }]);
    expect(paper.get('x')).toMatchObject({ outputs: [], running: false });
  });

  it('of a run that ended before the page was loaded are not written over', () => {
    const paper = new Paper('a');
    const cell = ended(wanted('x', { outputs: [TEXT] }));
    paper.settle([cell]);
    paper.get('x').outputs = ['theirs, with the same count'];
    paper.save();
    paper.reload();
    paper.settle([{ ...cell, placed: 'in_file' }]);
    expect(paper.get('x').outputs).toEqual(['theirs, with the same count']);
    expect(paper.edits).toEqual([]);
  });

  it('of a run that ended while no page was open are completed', () => {
    const paper = new Paper('a');
    const cell = wanted('x', { outputs: [TEXT] });
    paper.settle([cell]);
    paper.save();
    paper.reload();
    const done = ended(cell, { placed: 'in_file', outputs: [TEXT, MORE] });
    paper.settle([done]);
    expect(paper.get('x')).toMatchObject({
      count: 1,
      outputs: [TEXT, MORE],
      mark: { status: 'ok' }
    });
  });
});
