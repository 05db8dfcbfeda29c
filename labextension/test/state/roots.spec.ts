import { pathHere, sameNotebook } from '../../src/state/roots';

const at = (root_id: string, path = 'a.ipynb') => ({ root_id, path });

describe('a notebook under a root', () => {
  it('is here if its root is ours or was never told', () => {
    expect(pathHere(at('ours'), 'ours')).toBe('a.ipynb');
    expect(pathHere(at(''), 'ours')).toBe('a.ipynb');
    expect(pathHere(at('theirs'), 'ours')).toBeNull();
    expect(pathHere(null, 'ours')).toBeNull();
  });

  it('is another one than that of the same path under another root', () => {
    expect(sameNotebook(at('ours'), at('theirs'))).toBe(false);
    expect(sameNotebook(at('ours'), at(''))).toBe(true);
    expect(sameNotebook(at('ours'), at('ours'))).toBe(true);
    expect(sameNotebook(at('ours'), at('ours', 'b.ipynb'))).toBe(false);
    expect(sameNotebook(null, at('ours'))).toBe(false);
  });
});
