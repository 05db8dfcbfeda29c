import type { TranslationBundle } from '@jupyterlab/translation';
import type { ISignal } from '@lumino/signaling';

import type { IThreadModel } from '../state/client';
import { linkRefusal } from '../state/refusals';
import { pathHere } from '../state/roots';
import type { INotebooks, Sight, Standing } from './ports';
import type { Shown } from './shown';

/**
 * A notebook as it was seen for a message, and whether its file was ahead of it.
 */
export interface ISeen {
  readonly sight: Sight;
  readonly behind: boolean;
}

/**
 * The notebook that a message is about, as it was when the person sent the message: at once, or as
 * soon as it is as new as its file.
 */
export interface IAim {
  readonly path: string | null;
  readonly seen: ISeen | Promise<ISeen>;
}

/**
 * Say what a message sent now is about.
 */
export function takeAim(shown: Shown, notebooks: INotebooks): IAim {
  const path = aimedPath(shown, notebooks);
  return { path, seen: look(path, shown.thread, notebooks) };
}

/**
 * The path of the notebook that a message sent now is about. Of a thread that has no notebook, or
 * whose events have not come, it is the one in front: it may be the one.
 */
export function aimedPath(shown: Shown, notebooks: INotebooks): string | null {
  const known = shown.thread?.state?.target.notebook != null;
  return shown.path ?? (known ? null : notebooks.front?.path) ?? null;
}

/**
 * See what a thread's message is about: its own notebook, and `taken`, what was taken for it when
 * the message was sent, only if that is the same or the thread has none yet.
 */
export function seenFor(
  thread: IThreadModel,
  taken: IAim,
  notebooks: INotebooks
): ISeen | Promise<ISeen> {
  const notebook = thread.state?.target.notebook ?? null;
  const path = pathHere(notebook, thread.client.rootId);
  return notebook === null || path === taken.path
    ? taken.seen
    : look(path, thread, notebooks);
}

/** Another tab may have changed the file, and no one tells this page. */
function look(
  path: string | null,
  thread: IThreadModel | null,
  notebooks: INotebooks
): ISeen | Promise<ISeen> {
  if (path === null) {
    return { sight: {}, behind: false };
  }
  const see = (standing: Standing): ISeen => ({
    sight: notebooks.look(path, thread?.threadId ?? null),
    behind: standing === 'behind'
  });
  return notebooks.catchUp(path)?.then(see) ?? see('level');
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
