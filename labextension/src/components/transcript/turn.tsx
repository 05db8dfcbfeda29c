import type { TranslationBundle } from '@jupyterlab/translation';
import React, { memo, useMemo } from 'react';

import type {
  Item,
  RunState,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { cellOf } from '../../panel/words';
import { never } from '../../state/never';
import {
  entriesOf,
  type Entry,
  runLabel,
  underRepair,
  wasLeft
} from '../../state/summary';
import { useTrans } from '../context';
import type { Ahead } from '../run/looks';
import { RunCard } from '../run/runcard';
import { ItemRow } from './item';
import { Message } from './message';
import { TurnEnd } from './turnend';

interface ITurnProps {
  readonly state: ThreadState;
  readonly turn: TurnState;
  /** The runs of this turn, in order; the turn is drawn again when one is another. */
  readonly runs: readonly RunState[];
  readonly last: boolean;
  readonly mimeType: string;
  readonly ahead: Ahead;
  readonly readOnly: boolean;
  readonly scripted: boolean;
}

/** One message of the person's and all that came of it. */
export const Turn = memo(
  function Turn(props: ITurnProps): React.JSX.Element {
    const { state, turn } = props;
    const trans = useTrans();
    const entries = useMemo(() => entriesOf(state, turn), [state, turn]);
    const repaired = useMemo(() => underRepair(state, turn), [state, turn]);
    const streaming = turn.stop_reason === null;
    const letsRun = cellOf(turn.content) !== null;
    return (
      <article
        className="jp-CaveLab-turn"
        aria-label={trans.__('Turn')}
        aria-busy={streaming}
      >
        <Message
          content={turn.content}
          at={turn.started_at}
          note={originWords(turn.origin, trans)}
        />
        {props.scripted && turn.calls.length > 0 && entries.length > 0 && (
          <Scripted />
        )}
        {entries.map(entry => (
          <EntryRow
            key={entry.key}
            entry={entry}
            repaired={repaired}
            {...props}
          />
        ))}
        {streaming && props.last && !letsRun && <Thinking entries={entries} />}
        {!streaming && <TurnEnd {...props} />}
      </article>
    );
  },
  (before, after) =>
    before.turn === after.turn &&
    before.last === after.last &&
    before.mimeType === after.mimeType &&
    before.ahead === after.ahead &&
    before.readOnly === after.readOnly &&
    before.scripted === after.scripted &&
    before.runs.length === after.runs.length &&
    before.runs.every((run, at) => run === after.runs[at])
);

function EntryRow(
  props: ITurnProps & {
    readonly entry: Entry;
    readonly repaired: ReadonlySet<RunState>;
  }
): React.JSX.Element {
  const { entry, turn, state } = props;
  if (entry.kind === 'item') {
    const asks = entry.item.type === 'notice';
    return (
      <ItemRow
        item={entry.item}
        turn={asks ? turn : null}
        readOnly={props.readOnly || !props.last}
        id={`${turn.turn_id}:${entry.key}`}
        streaming={
          turn.stop_reason === null && turn.items.at(-1) === entry.item
        }
      />
    );
  }
  const label = (run: RunState) => runLabel(run, wasLeft(turn, run));
  return (
    <RunCard
      view={{
        run: entry.run,
        label: label(entry.run),
        earlier: entry.earlier.map(run => ({ run, label: label(run) }))
      }}
      threadId={state.thread_id}
      mimeType={props.mimeType}
      ahead={props.ahead}
      readOnly={props.readOnly}
      recent={props.last && !props.repaired.has(entry.run)}
    />
  );
}

/** Says of a message that no person typed it. */
function originWords(
  origin: TurnState['origin'],
  trans: TranslationBundle
): string | undefined {
  switch (origin) {
    case 'browser':
      return undefined;
    case 'api':
      return trans.__('Sent by a program, not typed in the panel.');
    default:
      return never(origin);
  }
}

/** The words of the tour are not an AI's, and say so wherever they stand. */
export function Scripted(): React.JSX.Element {
  const trans = useTrans();
  return (
    <p className="jp-CaveLab-scripted">{trans.__('scripted, not an AI')}</p>
  );
}

/** Rows behind which nothing moves until the model speaks. */
const SILENT: ReadonlySet<Item['type']> = new Set([
  'retry',
  'steer',
  'look',
  'compacted',
  'refused'
]);

/** Says that the model works, while nothing else does. */
function Thinking(props: {
  readonly entries: readonly Entry[];
}): React.JSX.Element | null {
  const trans = useTrans();
  const last = props.entries.at(-1);
  const silent =
    last === undefined ||
    (last.kind === 'run'
      ? last.run.phase === 'ended' || last.run.approval?.outcome === 'rejected'
      : SILENT.has(last.item.type));
  return silent ? (
    <p className="jp-CaveLab-aside">{trans.__('Waiting for the model …')}</p>
  ) : null;
}
