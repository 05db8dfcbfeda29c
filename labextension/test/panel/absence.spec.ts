import { nullTranslator } from '@jupyterlab/translation';

import { whyAbsent } from '../../src/panel/absence';
import { FakeClient } from '../support/panel';

describe('a cell that is not in the notebook of this tab', () => {
  const trans = nullTranslator.load('cave_lab');

  /** What is said while a tab, or none, holds the lease. */
  function said(holder: string | null): string {
    const lease = {
      type: 'writer.lease' as const,
      thread_id: 'th-1',
      path: 'a.ipynb',
      holder
    };
    return whyAbsent({ lease, client: new FakeClient() }, trans);
  }

  it('is not called deleted while another tab writes the notebook', () => {
    expect(said('another')).toMatch(
      'This tab does not have the cell yet: another tab writes this notebook.'
    );
  });

  it('may have been deleted if this tab writes, or none', () => {
    const deleted = 'It may have been deleted.';
    expect(said('me')).toMatch(deleted);
    expect(said(null)).toMatch(deleted);
    expect(whyAbsent(null, trans)).toMatch(deleted);
  });
});
