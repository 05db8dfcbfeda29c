import { useState } from 'react';

import type { PanelModel } from '../../panel/model';
import { usePanel } from '../context';

/** What the reader has unfolded in each panel, for as long as the page lives. */
const opened = new WeakMap<PanelModel, Set<string>>();

/**
 * Whether something folded is open, and how to open it; it is found as it was left, also after
 * another thread or the settings were looked at.
 */
export function useOpened(
  key: string
): readonly [boolean, (open: boolean) => void] {
  const panel = usePanel();
  const [open, setOpen] = useState(() => opened.get(panel)?.has(key) ?? false);
  const set = (now: boolean): void => {
    const keys = opened.get(panel) ?? new Set();
    opened.set(panel, keys);
    if (now) {
      keys.add(key);
    } else {
      keys.delete(key);
    }
    setOpen(now);
  };
  return [open, set];
}
