import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

import { RUN_DEAF_MS } from '../../panel/answers';
import { usePanel } from '../context';

/** The composer's field, as the page knows it. */
export const FIELD_CLASS = 'jp-CaveLab-field';

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
function isInEmptyComposer(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLTextAreaElement &&
    active.classList.contains(FIELD_CLASS) &&
    active.value === ''
  );
}

/**
 * Takes the focus for a card that waits, from our own empty composer only, and
 * gives it back there when the card goes. Says whether *Run* is still deaf.
 */
export function useAttention(
  card: RefObject<HTMLElement>,
  runId: string
): boolean {
  const panel = usePanel();
  const [deaf, setDeaf] = useState(true);
  useLayoutEffect(() => {
    const node = card.current;
    panel.answers.hush(runId);
    if (isInEmptyComposer()) {
      node?.focus({ preventScroll: true });
    }
    const timer = window.setTimeout(() => setDeaf(false), RUN_DEAF_MS);
    return () => {
      window.clearTimeout(timer);
      if (node?.contains(document.activeElement)) {
        panel.focus();
      }
    };
  }, [card, panel, runId]);
  useTyping(card);
  return deaf;
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
