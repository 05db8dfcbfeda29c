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
