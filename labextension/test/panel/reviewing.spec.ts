import { nullTranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';

import { Followed, type IAttendant } from '../../src/panel/followed';
import { reviewing } from '../../src/panel/reviewing';
import { CommandError } from '../../src/state/client';
import { ThreadModel } from '../../src/state/thread';
import { Stream, TARGET } from '../support/events';
import { FakeClient } from '../support/panel';
import { until } from '../support/until';

class NoAttendant implements IAttendant {
  readonly problem = null;
  readonly problemChanged: Signal<IAttendant, unknown> = new Signal(this);
  readonly isDisposed = false;
  dispose(): void {
    Signal.clearData(this);
  }
}

describe('a decision about a cell in a notebook', () => {
  let client: FakeClient;
  let followed: Followed;
  let attended: string[];
  /** What was done in the notebook alone, and what was said. */
  let here: string[];
  let said: string[];

  beforeEach(() => {
    client = new FakeClient();
    [attended, here, said] = [[], [], []];
    followed = new Followed(
      id => new ThreadModel(client, id),
      thread => {
        attended.push(thread.threadId);
        return new NoAttendant();
      }
    );
  });

  afterEach(() => followed.dispose());

  function decide(decision: 'kept' | 'undone', path = 'a.ipynb'): void {
    const trans = nullTranslator.load('cave_lab');
    const say = (text: string) => said.push(text);
    reviewing(
      { client, followed, trans, say },
      decision
    )({
      threadId: 'th-1',
      runId: 'run-1',
      path,
      decideHere: what => here.push(what)
    });
  }

  /** The events of the cell's thread come. */
  function tell(fields: Partial<typeof TARGET> = {}): void {
    const stream = new Stream();
    const target = { ...TARGET, ...fields };
    client.received.emit(stream.make('thread.created', { target }));
    client.received.emit({
      type: 'caught_up',
      thread_id: 'th-1',
      seq: 1,
      read_only: null
    });
  }

  function refuse(command: 'thread.open' | 'cell.review', code: string): void {
    const refused = Promise.reject(new CommandError(code, 'It is not there.'));
    refused.catch(() => undefined);
    client.answers[command] = refused;
  }

  const reviews = () => client.of('cell.review').map(({ verdict }) => verdict);

  it('is told to the server, and the thread is followed, so that somebody carries it out', async () => {
    decide('undone');
    tell();
    await until(() => reviews().length > 0, 'it is told');
    expect(attended).toEqual(['th-1']);
    expect(reviews()).toEqual(['undone']);
    expect(here).toEqual([]);
  });

  it.each(['kept', 'undone'] as const)(
    'is %s in a copy alone, and not in the notebook that the thread acts on',
    async decision => {
      decide(decision, 'a-Copy1.ipynb');
      tell();
      await until(() => here.length > 0, 'it is done');
      expect(here).toEqual([decision]);
      expect(reviews()).toEqual([]);
      expect(said).toEqual([]);
    }
  );

  it('is carried out in a notebook of the same path under another root alone', async () => {
    decide('undone');
    tell({ notebook: { root_id: 'root-2', path: 'a.ipynb' } });
    await until(() => here.length > 0, 'it is done');
    expect(reviews()).toEqual([]);
  });

  it('is carried out in the notebook alone if its thread was deleted or is a colleague’s', async () => {
    refuse('thread.open', 'not_found');
    refuse('cell.review', 'not_found');
    decide('undone');
    await until(() => here.length > 0, 'it is done');
    expect(here).toEqual(['undone']);
    expect(said).toEqual([]);
  });

  it('is not carried out, and why is said, if the server refuses it', async () => {
    client.answers['cell.review'] = 'The journal can not be written.';
    decide('undone');
    tell();
    await until(() => said.length > 0, 'it is said');
    expect(said).toEqual(['The journal can not be written.']);
    expect(here).toEqual([]);
  });

  it('is not carried out, and why is said, if the server does not let the page in', async () => {
    client.link = { kind: 'forbidden' };
    decide('undone');
    await until(() => said.length > 0, 'it is said');
    expect(said[0]).toMatch('does not let this page in');
    expect(here).toEqual([]);
  });
});
