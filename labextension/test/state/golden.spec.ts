import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import type { Event } from '../../src/protocol/generated';
import { parseFrame } from '../../src/protocol/guards';
import { replay } from '../../src/state/reducer';

const FOLDER = join(__dirname, '..', '..', '..', 'tests', 'golden');
const STREAM = '.jsonl';

/** The recorded threads; there is a state beside each that Python folded from it. */
const names = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap(file =>
      file.endsWith(STREAM) ? [file.slice(0, -STREAM.length)] : []
    )
  : [];

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

describe('the recorded threads', () => {
  it('are there once their folder is', () => {
    expect(names.length > 0 || !existsSync(FOLDER)).toBe(true);
  });

  for (const name of names) {
    it(`fold to the state that the server has: ${name}`, () => {
      const lines = read(name + STREAM)
        .split('\n')
        .filter(Boolean);
      expect(lines.map(parseFrame)).not.toContain(null);
      const events = lines.map(line => JSON.parse(line) as Event);
      const state: unknown = JSON.parse(read(`${name}.state.json`));
      expect(replay(events)).toStrictEqual(state);
    });
  }
});
