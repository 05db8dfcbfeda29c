import React, { memo, useEffect, useId, useRef, useState } from 'react';

import type { RunState } from '../../protocol/generated';
import { type RunLabel, runVariables } from '../../state/summary';
import { escapeControls } from '../../render/controls';
import { usePanel, useTrans } from '../context';
import { useStable } from '../hooks';
import { ChangeLine } from './changes';
import type { Ahead } from './looks';
import { RunBody } from './runbody';
import { RunLine } from './runline';
import { WaitingCard } from './waiting';

/** A run, and what of its surroundings its card tells. */
export interface IRunView {
  readonly run: RunState;
  readonly label: RunLabel;
  readonly earlier: readonly { run: RunState; label: RunLabel }[];
}

interface IRunCardProps {
  readonly view: IRunView;
  readonly threadId: string;
  readonly mimeType: string;
  readonly ahead: Ahead;
  readonly readOnly: boolean;
  /** Whether it is what the turn is about now; other cards begin collapsed. */
  readonly recent: boolean;
}

/** One run: a line, and all of it when opened; a proposal that waits is always open. */
export const RunCard = memo(
  function RunCard(props: IRunCardProps): React.JSX.Element {
    const { run, label } = props.view;
    if (label === 'waiting') {
      return <WaitingCard {...props} run={run} />;
    }
    return <Card {...props} />;
  },
  (before, after) =>
    sameView(before.view, after.view) && sameRest(before, after)
);

function sameView(before: IRunView, after: IRunView): boolean {
  return (
    before.run === after.run &&
    before.label === after.label &&
    before.earlier.length === after.earlier.length &&
    before.earlier.every((one, at) => one.run === after.earlier[at]?.run)
  );
}

function sameRest(before: IRunCardProps, after: IRunCardProps): boolean {
  const queued = after.view.label === 'queued';
  return (
    before.threadId === after.threadId &&
    before.mimeType === after.mimeType &&
    before.readOnly === after.readOnly &&
    before.recent === after.recent &&
    (!queued || before.ahead === after.ahead)
  );
}

function Card(props: IRunCardProps): React.JSX.Element {
  const { view, recent } = props;
  const { run, label, earlier } = view;
  const id = useId();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const asking = label === 'needs_input';
  useEffect(() => {
    if (asking) {
      setChosen(null);
    }
  }, [asking]);
  const open = chosen ?? (recent || asking);
  const card = useRef<HTMLElement>(null);
  useFocus(card, run, () => setChosen(null));
  return (
    <section
      ref={card}
      className="jp-CaveLab-card"
      data-state={label}
      data-open={open}
    >
      <RunLine
        run={run}
        label={label}
        ahead={props.ahead}
        open={open}
        controls={id}
        onToggle={() => setChosen(!open)}
      />
      {!open && label === 'failed' && <ErrorLine run={run} />}
      {!open && <ChangeLine {...runVariables(run)} />}
      {open && (
        <div id={id} className="jp-CaveLab-cardBody">
          <RunBody {...props} run={run} label={label} />
          {earlier.length > 0 && <Attempts {...props} />}
        </div>
      )}
      {!open && earlier.length > 0 && (
        <AttemptCount count={earlier.length + 1} />
      )}
    </section>
  );
}

/**
 * Opens a folded card for the person who comes in to answer it, and gives the focus that was left
 * on it to the composer once the run has ended.
 */
function useFocus(
  card: React.RefObject<HTMLElement>,
  run: RunState,
  onOpen: () => void
): void {
  const panel = usePanel();
  const open = useStable(onOpen);
  const ended = run.phase === 'ended';
  useEffect(() => {
    if (ended && card.current === document.activeElement) {
      panel.focus();
    }
  }, [card, panel, ended]);
  useEffect(() => {
    const onAsked = (_: unknown, asked: string) => {
      const node = card.current;
      if (asked === run.run_id && node !== null) {
        node.tabIndex = -1;
        node.focus();
        open();
      }
    };
    panel.cardAsked.connect(onAsked);
    return () => void panel.cardAsked.disconnect(onAsked);
  }, [card, panel, run.run_id, open]);
}

/** What went wrong, which a closed card would hide. */
function ErrorLine(props: {
  readonly run: RunState;
}): React.JSX.Element | null {
  const { error } = props.run;
  if (error === null) {
    return null;
  }
  const [line] = error.evalue.split('\n');
  const words = line === '' ? error.ename : `${error.ename}: ${line}`;
  return <p className="jp-CaveLab-errorLine">{escapeControls(words)}</p>;
}

function AttemptCount(props: { readonly count: number }): React.JSX.Element {
  const trans = useTrans();
  return (
    <span className="jp-CaveLab-quiet">
      {trans.__('%1 attempts', props.count)}
    </span>
  );
}

/** The failed attempts before, each a card of its own. */
function Attempts(props: IRunCardProps): React.JSX.Element {
  const trans = useTrans();
  const { earlier } = props.view;
  return (
    <details className="jp-CaveLab-attempts">
      <summary>{trans.__('%1 attempts', earlier.length + 1)}</summary>
      {earlier.map(({ run, label }) => (
        <RunCard
          key={run.run_id}
          {...props}
          view={{ run, label, earlier: [] }}
          recent={false}
        />
      ))}
    </details>
  );
}
