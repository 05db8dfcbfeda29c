import { createHash } from 'node:crypto';

import { sha256 } from '../../src/notebook/sha256';

function reference(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

describe('sha256', () => {
  it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 5_000])(
    'agrees with the reference for %d characters',
    length => {
      const text = 'abcdefg'.repeat(1_000).slice(0, length);
      expect(sha256(text)).toBe(reference(text));
    }
  );

  it('hashes the UTF-8 bytes, as the server does', () => {
    const text = "übung = '日本 🐍'\nprint(übung)";
    expect(sha256(text)).toBe(reference(text));
  });
});
