import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState
} from 'react';

import { RUN_DEAF_MS } from '../../panel/answers';
import { usePanel } from '../context';
import { useStable } from '../hooks';

/** The composer's field, as the page knows it. */
export const FIELD_CLASS = 'jp-CaveLab-field';

/** The list that is scrolled, as the page knows it. */
export const TRANSCRIPT_CLASS = 'jp-CaveLab-transcript';

/** A proposal that waits for the person, as the page knows it. */
export const WAITING_CLASS = 'jp-CaveLab-waiting';

/**
 * Where Accel Enter runs a cell that waits, besides its card itself: in its code and on *Run*,
 * never where something else is being said (`labextension/schema/plugin.json`).
 */
export const APPROVES_CLASS = 'jp-CaveLab-approves';

/** The chord that runs a cell, and sends what is being said in its place. */
export function isAccelEnter(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}

/** Whether the focus is in our own empty composer, the only place it is taken from. */
export function isInEmptyComposer(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLTextAreaElement &&
    active.classList.contains(FIELD_CLASS) &&
    active.value === ''
  );
}

/** How a card that waits stands to the person's keys. */
export interface IAttention {
  /** Whether *Run* does nothing for the moment. */
  readonly deaf: boolean;
  /** Put the focus into the card; keys that were meant for where it was run nothing. */
  readonly enter: (focus: () => void) => void;
}

/**
 * Takes the focus for a card that waits, from our own empty composer or when the person comes
 * into the panel by its command, and gives it to the composer when the card goes.
 */
export function useAttention(
  card: RefObject<HTMLElement>,
  runId: string
): IAttention {
  const panel = usePanel();
  const [deaf, deafen] = useDeafness();
  const hush = useStable(() => {
    panel.answers.hush(runId);
    deafen();
  });
  const enter = useStable((focus: () => void) => {
    if (!card.current?.contains(document.activeElement)) {
      hush();
    }
    focus();
  });
  useLayoutEffect(() => {
    const node = card.current;
    hush();
    if (isInEmptyComposer()) {
      node?.focus({ preventScroll: true });
    }
    return () => {
      if (node?.contains(document.activeElement)) {
        panel.focus();
      }
    };
  }, [card, panel, hush]);
  useTyping(card);
  useEffect(() => {
    const onAsked = (_: unknown, asked: string) => {
      if (asked === runId) {
        enter(() => card.current?.focus());
      }
    };
    panel.cardAsked.connect(onAsked);
    return () => void panel.cardAsked.disconnect(onAsked);
  }, [card, panel, runId, enter]);
  return { deaf, enter };
}

/**
 * Lets the cell run when the composer asks for it, if all of it is in view; else brings the card
 * there, with the focus.
 */
export function useRunAsked(
  card: RefObject<HTMLElement>,
  runId: string,
  { enter }: IAttention,
  run: () => void
): void {
  const panel = usePanel();
  const onAsked = useStable((_: unknown, asked: string) => {
    if (asked !== runId) {
      return;
    }
    if (isRunInView(card.current)) {
      run();
    } else {
      enter(() => card.current?.focus());
    }
  });
  useEffect(() => {
    panel.runAsked.connect(onAsked);
    return () => void panel.runAsked.disconnect(onAsked);
  }, [panel, onAsked]);
}

/** Whether the person sees what they let run: the card from its head on, all its code, and *Run*. */
function isRunInView(card: HTMLElement | null): boolean {
  const list = card?.closest(`.${TRANSCRIPT_CLASS}`);
  const run = card?.querySelector(`button.${APPROVES_CLASS}`);
  if (!card || !list || !run) {
    return false;
  }
  const [frame, all, answer] = [list, card, run].map(node =>
    node.getBoundingClientRect()
  );
  const code = card.querySelector('.jp-CaveLab-code');
  // The answers stick to the bottom of a low list, over code that goes on below.
  const shown = !code || code.getBoundingClientRect().bottom <= answer.top + 1;
  return all.top >= frame.top - 1 && answer.bottom <= frame.bottom + 1 && shown;
}

/** Whether no answer is taken, as for a moment at first, and what begins such a moment. */
export function useDeafness(): readonly [boolean, () => void] {
  const [times, setTimes] = useState(0);
  const [deaf, setDeaf] = useState(true);
  const deafen = useCallback(() => {
    setDeaf(true);
    setTimes(now => now + 1);
  }, []);
  useEffect(() => {
    const timer = window.setTimeout(() => setDeaf(false), RUN_DEAF_MS);
    return () => window.clearTimeout(timer);
  }, [times]);
  return [deaf, deafen];
}

/** A letter typed while the card itself has the focus was meant for the composer. */
function useTyping(card: RefObject<HTMLElement>): void {
  const panel = usePanel();
  useEffect(() => {
    const node = card.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.target === node && plain && event.key.length === 1) {
        panel.focus();
      }
    };
    node?.addEventListener('keydown', onKeyDown);
    return () => node?.removeEventListener('keydown', onKeyDown);
  }, [card, panel]);
}
