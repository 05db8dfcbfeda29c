import React, { useEffect, useMemo, useRef } from 'react';

import type { IPending } from '../../panel/pending';
import type {
  NoticeItem,
  RunState,
  ThreadState,
  TurnState
} from '../../protocol/generated';
import { TextButton } from '../button';
import { useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { TRANSCRIPT_CLASS } from '../run/attention';
import type { Ahead } from '../run/looks';
import { Message } from './message';
import { NoticeRow } from './notice';
import { useStick } from './stick';
import { Turn } from './turn';

/** Everything that was said and done in a thread; null before its first event. */
export function Transcript(props: {
  readonly state: ThreadState | null;
  readonly mimeType: string;
  readonly readOnly: boolean;
}): React.JSX.Element {
  const { state } = props;
  const trans = useTrans();
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pending = usePanelValue(panel => panel.sender.pending);
  const running = usePanelValue(panel => panel.outlook.turn !== null);
  const stick = useStick(list, content, rowsOf(state));
  const { toBottom } = stick;
  const answering = usePanelValue(panel => panel.answers.sending);
  useEffect(() => {
    if (pending.length > 0 || answering) {
      toBottom();
    }
  }, [pending.length, answering, toBottom]);
  return (
    <div className="jp-CaveLab-transcriptFrame">
      <div
        ref={list}
        className={TRANSCRIPT_CLASS}
        role="log"
        aria-live="off"
        aria-busy={running}
        aria-label={trans.__('Transcript')}
        tabIndex={0}
        onScroll={stick.onScroll}
      >
        <div ref={content}>
          {state && <Turns {...props} state={state} />}
          {!running && <Pending pending={pending} />}
          {state && <Notices {...props} notices={state.notices} />}
        </div>
      </div>
      {stick.unseen > 0 && (
        <div className="jp-CaveLab-unseen">
          <TextButton onClick={toBottom}>
            {trans.__('%1 new ↓', stick.unseen)}
          </TextButton>
        </div>
      )}
    </div>
  );
}

/** Messages on their way. */
function Pending(props: {
  readonly pending: readonly IPending[];
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <>
      {props.pending.map(message => (
        <Message
          key={message.id}
          content={message.content}
          note={
            message.stopped ? trans.__('stopping …') : trans.__('sending …')
          }
        />
      ))}
    </>
  );
}

/** What concerns the thread and no turn; only the last one still offers its steps. */
function Notices(props: {
  readonly notices: readonly NoticeItem[];
  readonly readOnly: boolean;
}): React.JSX.Element {
  const last = props.notices.length - 1;
  return (
    <>
      {props.notices.map((notice, at) => (
        <NoticeRow
          key={at}
          notice={notice}
          turn={null}
          readOnly={props.readOnly || at < last}
        />
      ))}
    </>
  );
}

function Turns(props: {
  readonly state: ThreadState;
  readonly mimeType: string;
  readonly readOnly: boolean;
}): React.JSX.Element {
  const { state } = props;
  const ahead = usePanelValue(panel =>
    aheadOf(panel.outlook.binding?.activity)
  );
  const tourModel = usePanelValue(panel => panel.server.status?.tour_model);
  const runs = useMemo(() => runsByTurn(state), [state]);
  return (
    <>
      {state.turns.map((turn, at) => (
        <Turn
          key={turn.turn_id}
          {...props}
          turn={turn}
          runs={runs.get(turn.turn_id) ?? []}
          last={at === state.turns.length - 1}
          ahead={ahead}
          scripted={isScripted(turn, state, tourModel)}
        />
      ))}
    </>
  );
}

function aheadOf(activity: string | undefined): Ahead {
  switch (activity) {
    case 'busy_theirs':
      return 'theirs';
    case 'busy_ours':
      return 'ours';
    default:
      return null;
  }
}

/** The model that answered in a turn says whether it was the script. */
function isScripted(
  turn: TurnState,
  state: ThreadState,
  tourModel: string | undefined
): boolean {
  const model = turn.calls.at(-1)?.model ?? state.model;
  return tourModel !== undefined && model === tourModel;
}

function runsByTurn(state: ThreadState): ReadonlyMap<string, RunState[]> {
  const found = new Map<string, RunState[]>();
  for (const run of Object.values(state.runs)) {
    found.set(run.turn_id, [...(found.get(run.turn_id) ?? []), run]);
  }
  return found;
}

function rowsOf(state: ThreadState | null): number {
  const turns = state?.turns ?? [];
  return turns.reduce((sum, turn) => sum + 1 + turn.items.length, 0);
}
