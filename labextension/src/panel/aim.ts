import type { TranslationBundle } from '@jupyterlab/translation';
import type { ISignal } from '@lumino/signaling';

import type { IThreadModel } from '../state/client';
import { linkRefusal } from '../state/refusals';
import { pathHere } from '../state/roots';
import type { INotebooks, Sight } from './ports';
import type { Shown } from './shown';

/**
 * The notebook that a message is about, as it was when the person sent the message.
 */
export interface IAim {
  readonly path: string | null;
  readonly sight: Sight;
}

/**
 * Say what a message sent now is about. Of a thread that has no notebook, or whose events have not
 * come, the one in front is looked at too: it may be the one.
 */
export function takeAim(shown: Shown, notebooks: INotebooks): IAim {
  const known = shown.thread?.state?.target.notebook != null;
  const path = shown.path ?? (known ? null : notebooks.front?.path) ?? null;
  return { path, sight: look(path, shown.thread, notebooks) };
}

/**
 * Say what a thread's message is about: its own notebook, and `taken`, what was taken for it when
 * the message was sent, only if that is the same or the thread has none yet.
 */
export function sightFor(
  thread: IThreadModel,
  taken: IAim,
  notebooks: INotebooks
): Sight {
  const notebook = thread.state?.target.notebook ?? null;
  const path = pathHere(notebook, thread.client.rootId);
  return notebook === null || path === taken.path
    ? taken.sight
    : look(path, thread, notebooks);
}

function look(
  path: string | null,
  thread: IThreadModel | null,
  notebooks: INotebooks
): Sight {
  const threadId = thread?.threadId ?? null;
  return path === null ? {} : notebooks.look(path, threadId);
}

/**
 * Wait until a thread is known up to its last event, so that it is known what it acts on, or until
 * `enough`; rejects with a sentence if that can no longer come.
 */
export function whenKnown(
  thread: IThreadModel,
  enough: () => boolean,
  changed: ISignal<unknown, unknown>,
  trans: TranslationBundle
): Promise<void> {
  const { client } = thread;
  // Of the events first: a message sent after the last of them must not overtake this one.
  const signals: ISignal<unknown, unknown>[] = [
    client.received,
    client.linkChanged,
    thread.changed,
    changed
  ];
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      signals.forEach(signal => signal.disconnect(look));
      settle();
    };
    const look = (): void => {
      const refusal = whyNever(thread, trans);
      if (thread.caughtUp || enough()) {
        end(resolve);
      } else if (refusal !== null) {
        end(() => reject(refusal));
      }
    };
    signals.forEach(signal => signal.connect(look));
    look();
  });
}

function whyNever(
  thread: IThreadModel,
  trans: TranslationBundle
): Error | null {
  if (thread.isDisposed) {
    return new Error(
      trans.__('The thread was deleted, so the message was not sent.')
    );
  }
  return thread.readOnly === null
    ? linkRefusal(thread.client.link)
    : new Error(thread.readOnly);
}
