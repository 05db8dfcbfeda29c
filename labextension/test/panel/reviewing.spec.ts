import { Signal } from '@lumino/signaling';

import { Followed, type IAttendant } from '../../src/panel/followed';
import { reviewing } from '../../src/panel/reviewing';
import { ThreadModel } from '../../src/state/thread';
import { FakeClient } from '../support/panel';

class NoAttendant implements IAttendant {
  readonly problem = null;
  readonly problemChanged: Signal<IAttendant, unknown> = new Signal(this);
  readonly isDisposed = false;
  dispose(): void {
    Signal.clearData(this);
  }
}

it('follows the thread of a cell that is undone, so that somebody takes the cell out', () => {
  const client = new FakeClient();
  const attended: string[] = [];
  const followed = new Followed(
    id => new ThreadModel(client, id),
    thread => {
      attended.push(thread.threadId);
      return new NoAttendant();
    }
  );
  reviewing(client, followed, 'undone')({ threadId: 'th-7', runId: 'run-1' });
  expect(attended).toEqual(['th-7']);
  expect(client.sent.map(({ type }) => type)).toEqual([
    'thread.open',
    'cell.review'
  ]);
  followed.dispose();
});
