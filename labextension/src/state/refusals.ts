import { CommandError, type Link } from './client';

/** Why a command was not carried out, as far as this page knows; each says what to do next. */
const SENTENCES = {
  closed: 'The panel was closed before the server answered.',
  forbidden:
    'The server does not let this page in, so nothing was sent. Sign in again and reload the page.',
  frame_too_big:
    'This is more than the server takes at once (1 MB), so it was not sent. Shorten it and try again.',
  link_lost:
    'The connection to the server was lost before it answered. It is being made again.',
  refused:
    'The server closed the connection over what was sent. Nothing was sent again; try it once more.',
  too_many_waiting:
    'The server has not answered for a while, so nothing more was sent. Try again when the connection is back.',
  version:
    'This page and the server have different versions of CaveLab, so nothing was sent. Reload the page.'
} as const;

/** The codes of the refusals that come from this page, not from the server. */
export type RefusalCode = keyof typeof SENTENCES;

/**
 * Make the error of a command that this page could not have carried out.
 */
export function refusal(code: RefusalCode): CommandError {
  return new CommandError(code, SENTENCES[code]);
}

/**
 * Why no command can be sent on such a link, or null if it may wait.
 */
export function linkRefusal(link: Link): CommandError | null {
  switch (link.kind) {
    case 'version':
    case 'forbidden':
      return refusal(link.kind);
    default:
      return null;
  }
}
