import { expect } from '@playwright/test';

import {
  type Event,
  type StopReason
} from '../../labextension/src/protocol/generated';
import {
  type DesiredCell,
  desiredCells
} from '../../labextension/src/state/cells';
import { replay } from '../../labextension/src/state/reducer';
import { type Home } from './home';
import { askPython } from './process';

type Kind = Event['type'];
type Of<K extends Kind> = Extract<Event, { readonly type: K }>;

/** What CaveLab's journal holds about one notebook. */
export class Journal {
  constructor(
    private readonly home: Home,
    private readonly path: string
  ) {}

  /** The events of each thread of the notebook, the newest thread first. */
  async threads(): Promise<readonly (readonly Event[])[]> {
    return askPython('read_journal.py', this.home.journal, this.path);
  }

  /** The events of the newest thread. */
  async events(): Promise<readonly Event[]> {
    return (await this.threads())[0] ?? [];
  }

  /** Its events of one type. */
  async all<K extends Kind>(type: K): Promise<readonly Of<K>[]> {
    const events = await this.events();
    return events.filter((event): event is Of<K> => event.type === type);
  }

  /** How its runs ended, in order. */
  async runStatuses(): Promise<readonly string[]> {
    return (await this.all('run.ended')).map(event => event.status);
  }

  /** How the runs ended whose cells belong into the notebook, by cell id. */
  async cellEnds(): Promise<Readonly<Record<string, string>>> {
    const states = (await this.threads()).flatMap(
      events => replay(events) ?? []
    );
    const cells = states.flatMap(desiredCells).filter(cell => !isGone(cell));
    return Object.fromEntries(
      cells.flatMap(({ cellId, ended, status }) =>
        ended && status !== null ? [[cellId, status]] : []
      )
    );
  }

  /** Wait until its turns have ended for these reasons, and no others. */
  async turnsEnded(...reasons: readonly StopReason[]): Promise<void> {
    await expect
      .poll(
        async () => (await this.all('turn.ended')).map(e => e.stop_reason),
        {
          message: 'how the turns ended'
        }
      )
      .toEqual(reasons);
  }
}

function isGone({ verdict }: DesiredCell): boolean {
  return verdict === 'undone' || verdict === 'deleted_by_user';
}
