import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useEffect, useRef, useState } from 'react';

import { lookWords } from '../panel/looks';
import type { RunState, ThreadState, TurnState } from '../protocol/generated';
import { escapeControls } from '../render/controls';
import { spoken } from '../render/spoken';
import { findRun } from '../state/change';
import { type RunLabel, runLabel, wasLeft } from '../state/summary';
import { useTrans } from './context';
import { usePanelValue } from './hooks';
import { labelWords } from './run/looks';
import { compactedWords } from './transcript/compacted';
import { stopWords } from './transcript/stopwords';

/** So much of an answer is read out by itself; the rest is in the transcript. */
const SPOKEN_CHARS = 400;

/** Tells those who hear the page what changed, once, politely, never while it streams. */
export function Announcer(): React.JSX.Element {
  const trans = useTrans();
  const state = usePanelValue(panel => panel.outlook.state);
  const caughtUp = usePanelValue(
    panel => panel.outlook.thread?.caughtUp ?? false
  );
  const [words, setWords] = useState('');
  const before = useRef<ThreadState | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = caughtUp ? state : null;
    if (last && state && caughtUp && last.thread_id === state.thread_id) {
      const news = announce(last, state, trans);
      if (news !== '') {
        setWords(news);
      }
    }
  }, [state, caughtUp, trans]);
  return (
    <div className="jp-CaveLab-hidden" role="status" aria-live="polite">
      {words}
    </div>
  );
}

/** What is new from one state to the next, in a sentence or two; empty if it is not worth a word. */
export function announce(
  before: ThreadState,
  now: ThreadState,
  trans: TranslationBundle
): string {
  const turn = now.turns.at(-1);
  if (turn === undefined) {
    return '';
  }
  const earlier = before.turns.find(one => one.turn_id === turn.turn_id);
  const step = { before, now, earlier, turn };
  return [
    ...runNews(step, trans),
    ...itemNews(step, trans),
    ...endNews(earlier, turn, trans)
  ]
    .join(' ')
    .trim();
}

/** A step of a thread, and of the turn in it that it is told of. */
interface IStep {
  readonly before: ThreadState;
  readonly now: ThreadState;
  readonly earlier: TurnState | undefined;
  readonly turn: TurnState;
}

function runNews(step: IStep, trans: TranslationBundle): string[] {
  return step.turn.items.flatMap(item => {
    const run = item.type === 'run' ? findRun(step.now, item.run_id) : null;
    if (run === null) {
      return [];
    }
    const old = findRun(step.before, run.run_id);
    const label = labelIn(step.turn, run);
    const oldLabel = old && step.earlier && labelIn(step.earlier, old);
    const asksAgain =
      label === 'needs_input' && run.stdin?.question !== old?.stdin?.question;
    if (label === 'writing' || (label === oldLabel && !asksAgain)) {
      return [];
    }
    const purpose = run.purpose || trans.__('New cell');
    const news = `${purpose}: ${labelWords(label, null, trans)}.`;
    const prompt = spokenPrompt(run);
    return [prompt === '' ? news : `${news} ${prompt}`];
  });
}

/** What came of the turn that is told in a line of the transcript. */
function itemNews(step: IStep, trans: TranslationBundle): string[] {
  const { earlier, turn, now } = step;
  return turn.items.slice(earlier?.items.length ?? 0).flatMap(item => {
    if (item.type === 'look') {
      return [`${lookWords(item, now.runs, trans)}.`];
    }
    return item.type === 'compacted' ? [compactedWords(item, trans)] : [];
  });
}

/** What a cell asks for, short enough to be listened to; of a long text the end, where the question is. */
function spokenPrompt(run: RunState): string {
  return escapeControls(run.stdin?.prompt ?? '')
    .trim()
    .slice(-SPOKEN_CHARS);
}

function labelIn(turn: TurnState, run: RunState): RunLabel {
  return runLabel(run, wasLeft(turn, run));
}

function endNews(
  earlier: TurnState | undefined,
  turn: TurnState,
  trans: TranslationBundle
): string[] {
  if (turn.stop_reason === null || earlier?.stop_reason !== null) {
    return [];
  }
  const why = stopWords(turn, trans);
  if (why !== null) {
    return [why];
  }
  const notices = turn.items.flatMap(item =>
    item.type === 'notice' ? [item.text] : []
  );
  return [
    trans.__('The turn has ended.'),
    ...notices.slice(-1),
    ...(turn.stop_reason === 'end_turn' ? answerOf(turn) : [])
  ];
}

/** The end of what was said, in words that can be listened to. */
function answerOf(turn: TurnState): string[] {
  const texts = turn.items.flatMap(item =>
    item.type === 'text' ? [item.text] : []
  );
  return texts.slice(-1).map(text => spoken(text).slice(0, SPOKEN_CHARS));
}
