import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore
} from 'react';

import type { PanelModel } from '../panel/model';
import { usePanel } from './context';

/**
 * A value of the panel's model; the component is drawn again only when it is another one.
 */
export function usePanelValue<T>(select: (panel: PanelModel) => T): T {
  const panel = usePanel();
  const subscribe = useCallback(
    (notify: () => void) => {
      panel.changed.connect(notify);
      return () => panel.changed.disconnect(notify);
    },
    [panel]
  );
  return useSyncExternalStore(subscribe, () => select(panel));
}

/**
 * The time, anew every second while `ticking`; for durations.
 */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) {
      return;
    }
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, [ticking]);
  return now;
}

/**
 * A function that stays the same and always does what the last drawing said.
 */
export function useStable<A extends unknown[], R>(
  action: (...args: A) => R
): (...args: A) => R {
  const latest = useRef(action);
  latest.current = action;
  return useCallback((...args: A) => latest.current(...args), []);
}

/**
 * Gives the focus back to where it was before, when `held` ends while the focus
 * is inside `node` or has fallen to nothing.
 */
export function useReturnFocus(
  node: RefObject<HTMLElement>,
  held: boolean
): void {
  useEffect(() => {
    if (!held) {
      return;
    }
    const before = document.activeElement;
    const inside = node.current;
    return () => {
      const now = document.activeElement;
      const ours = now === document.body || inside?.contains(now);
      if (ours && before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, [held, node]);
}

/**
 * A way back for the focus to something that is drawn again after what stood in its place:
 * where to put it, and what to call when the person has done with the latter.
 */
export function useWayBack<T extends HTMLElement>(): readonly [
  RefObject<T>,
  () => void
] {
  const place = useRef<T>(null);
  const asked = useRef(false);
  useLayoutEffect(() => {
    if (asked.current && place.current) {
      asked.current = false;
      place.current.focus();
    }
  });
  const goBack = useCallback(() => {
    asked.current = true;
  }, []);
  return [place, goBack];
}
