import type { TranslationBundle } from '@jupyterlab/translation';

import type { LookItem, Looked, RunState } from '../protocol/generated';
import { escapeControls } from '../render/controls';

type Runs = Readonly<Record<string, RunState>>;

/** Why the model was not told what a look found. */
export type HeldBack = 'schema' | 'outputs' | 'values' | 'secret';

const OUTPUT = /^out_([0-9a-f]{6})$/;
const COLUMN = /^column\s+([^]+)$/;
const START = /^from\s+(\d+)$/;
const PAGE = /^page\s+(\d+)$/;

/** A variable's name behind which a secret is taken to be; as in `cave_lab/privacy/redact.py`. */
const SECRET =
  /(?:^|_)(?:api_?key|key|token|secret|passw(?:or)?d|pwd|credential)s?(?:_|\d|$)/i;

/** A look in a line: what was looked at, and how closely. */
export function lookWords(
  look: LookItem,
  runs: Runs,
  trans: TranslationBundle
): string {
  const names = look.names.map(name => nameWords(name, runs, trans)).join(', ');
  const closely = detailWords(look, trans);
  return closely === null
    ? trans.__('Looked at %1', names)
    : trans.__('Looked at %1: %2', names, closely);
}

/** What a look was at: a variable by its name, an earlier output by what its run was for. */
export function nameWords(
  name: string,
  runs: Runs,
  trans: TranslationBundle
): string {
  const run = runOf(name, runs);
  if (run === undefined) {
    return escapeControls(name);
  }
  return run.purpose === ''
    ? trans.__('the output of an earlier run')
    : trans.__('the output of “%1”', escapeControls(run.purpose));
}

/** The run whose output is called so, if there is one. */
function runOf(name: string, runs: Runs): RunState | undefined {
  const ending = OUTPUT.exec(name)?.at(1);
  return ending === undefined
    ? undefined
    : Object.values(runs).find(one => one.run_id.endsWith(ending));
}

/** How closely it was looked, in words; null if only at what a thing is. */
function detailWords(look: LookItem, trans: TranslationBundle): string | null {
  const detail = look.detail.trim();
  const column = COLUMN.exec(detail)?.at(1);
  const start = START.exec(detail)?.at(1);
  const page = PAGE.exec(detail)?.at(1);
  if (column !== undefined) {
    return trans.__('column %1', escapeControls(column.trim()));
  }
  if (start !== undefined) {
    return trans.__('from position %1', start);
  }
  if (page !== undefined) {
    return trans.__('page %1', page);
  }
  switch (detail) {
    case '':
    case 'schema':
      return null;
    case 'head':
      return look.answers.every(({ variable }) => variable?.kind === 'frame')
        ? trans.__('first rows')
        : trans.__('contents');
    default:
      // What the model wrote is no detail that there is; the answer says so.
      return escapeControls(detail);
  }
}

/**
 * Why the model was not told the text that a look found, under the privacy mode in force then;
 * null if it was. The rules are those of `cave_lab/privacy/modes.py`.
 */
export function heldBack(
  { name, text, values }: Looked,
  { by, privacy }: Pick<LookItem, 'by' | 'privacy'>,
  runs: Runs
): HeldBack | null {
  if (text === null) {
    const isOutput = runOf(name, runs) !== undefined;
    return isOutput && privacy === 'schema' ? 'outputs' : null;
  }
  if (SECRET.test(name)) {
    return 'secret';
  }
  if (privacy === 'schema') {
    return 'schema';
  }
  return values && privacy === 'standard' && by === 'model' ? 'values' : null;
}
