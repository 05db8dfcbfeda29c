import type { TranslationBundle } from '@jupyterlab/translation';

import type { RunState } from '../../protocol/generated';
import { never } from '../../state/never';
import type { RunLabel } from '../../state/summary';

/** Whose work the kernel does, as far as a waiting cell is concerned. */
export type Ahead = 'theirs' | 'ours' | null;

/** Where a run stands, in words. */
export function labelWords(
  label: RunLabel,
  ahead: Ahead,
  trans: TranslationBundle
): string {
  switch (label) {
    case 'writing':
      return trans.__('writing');
    case 'waiting':
      return trans.__('waiting for you');
    case 'queued':
      return queuedWords(ahead, trans);
    case 'running':
      return trans.__('running');
    case 'needs_input':
      return trans.__('needs input');
    case 'done':
      return trans.__('done');
    case 'failed':
      return trans.__('failed');
    case 'interrupted':
      return trans.__('interrupted');
    case 'rejected':
      return trans.__('rejected');
    case 'not_run':
      return trans.__('not run');
    case 'kernel_lost':
      return trans.__('kernel lost');
    case 'unknown':
      return trans.__('unknown');
    case 'no_longer_open':
      return trans.__('no longer open');
    default:
      return never(label);
  }
}

function queuedWords(ahead: Ahead, trans: TranslationBundle): string {
  return ahead === 'theirs'
    ? trans.__('queued behind your cell')
    : trans.__('queued');
}

/** What a run that has stopped short of its end means for the person; null if the words say it all. */
export function explain(
  label: RunLabel,
  run: RunState,
  trans: TranslationBundle
): string | null {
  switch (label) {
    case 'rejected':
      return run.approval?.reason
        ? trans.__('You rejected it: %1', run.approval.reason)
        : trans.__('You rejected it. Nothing was run.');
    case 'not_run':
      return run.reason ?? trans.__('It was not sent to the kernel.');
    case 'kernel_lost':
      return (
        run.reason ??
        trans.__('The kernel went away while it ran: its variables are gone.')
      );
    case 'unknown':
      return (
        run.reason ??
        trans.__(
          'The server stopped while it ran. It may have run to its end, in part, or not at all. It will not be run again by itself.'
        )
      );
    case 'no_longer_open':
      return closedWords(run, trans);
    case 'interrupted':
    case 'failed':
      return run.reason;
    default:
      return null;
  }
}

function closedWords(run: RunState, trans: TranslationBundle): string {
  switch (run.approval?.outcome) {
    case 'kernel_changed':
      return trans.__(
        'The kernel changed before you answered. Nothing was run.'
      );
    case 'server_restarted':
      return trans.__(
        'The server was restarted before you answered. Nothing was run.'
      );
    default:
      return trans.__('The turn ended before you answered. Nothing was run.');
  }
}

/** A duration as it is read: `0.4 s`, `12 s`, `3:05`, `1:02:05`. */
export function durationWords(seconds: number): string {
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  return seconds < 60 ? `${Math.floor(seconds)} s` : clock(seconds);
}

/** A running time: `0:12`, `3:05`, `1:02:05`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [
    Math.floor(whole / 3_600),
    Math.floor((whole % 3_600) / 60),
    whole % 60
  ];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown
    .map((part, at) => (at ? String(part).padStart(2, '0') : String(part)))
    .join(':');
}
