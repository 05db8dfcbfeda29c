import { StateDB } from '@jupyterlab/statedb';

import { Drafts } from '../../src/panel/drafts';

/** What another page finds. */
async function left(db: StateDB): Promise<string> {
  const drafts = new Drafts(db);
  await drafts.load();
  const text = drafts.text('th-1');
  drafts.dispose();
  return text;
}

describe('the drafts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('keep the last letters when the page is left at once', async () => {
    const db = new StateDB();
    const drafts = new Drafts(db);
    drafts.setText('th-1', 'plot it');
    expect(await left(db)).toBe('');
    window.dispatchEvent(new Event('pagehide'));
    expect(await left(db)).toBe('plot it');
    drafts.dispose();
  });

  it('keep what is half typed when a button sends other words', () => {
    const drafts = new Drafts(null);
    drafts.setText('th-1', 'half typed');
    drafts.take('th-1', 'Go on.');
    expect(drafts.text('th-1')).toBe('half typed');
    drafts.take('th-1', 'half typed');
    expect(drafts.text('th-1')).toBe('');
    drafts.dispose();
  });

  it('stay when the thread that they were moved to is made for a second message', () => {
    const drafts = new Drafts(null);
    drafts.setText('new', 'half typed');
    drafts.move('new', 'th-1');
    drafts.move('new', 'th-1');
    expect(drafts.text('th-1')).toBe('half typed');
    drafts.dispose();
  });

  it('come before what was typed since where they are moved to', () => {
    const drafts = new Drafts(null);
    drafts.setText('new', 'one');
    drafts.setText('th-1', 'two');
    drafts.move('new', 'th-1');
    expect(drafts.text('th-1')).toBe('one\ntwo');
    expect(drafts.text('new')).toBe('');
    drafts.dispose();
  });

  it('store nothing when the page is left and nothing was typed since', () => {
    const db = new StateDB();
    const save = jest.spyOn(db, 'save');
    const drafts = new Drafts(db);
    drafts.setText('th-1', 'plot it');
    jest.runAllTimers();
    window.dispatchEvent(new Event('pagehide'));
    expect(save).toHaveBeenCalledTimes(1);
    drafts.dispose();
  });
});
