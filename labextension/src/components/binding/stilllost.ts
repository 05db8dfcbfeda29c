import { useEffect, useState } from 'react';

import {
  hasKernel,
  openLoss,
  type Remaining,
  remaining
} from '../../panel/binding';
import type { KernelLoss } from '../../protocol/generated';
import { usePanel } from '../context';
import { usePanelValue } from '../hooks';

/** A look at what the kernel holds, since a loss. */
interface ILook {
  readonly loss: KernelLoss;
  readonly held: readonly string[];
}

/**
 * What the open loss of memory took and is not there again; null if there is none. As long as the
 * loss is open the kernel is looked at whenever it has begun or ended something: whoever ran the
 * cells again, in this thread or elsewhere, what exists is not gone.
 */
export function useStillLost(): Remaining | null {
  const { variables } = usePanel();
  const loss = usePanelValue(
    ({ outlook: { state } }) => state && openLoss(state)
  );
  const activity = usePanelValue(({ outlook: { binding } }) =>
    binding !== null && hasKernel(binding) ? binding.activity : null
  );
  const [look, setLook] = useState<ILook | null>(null);
  useEffect(() => {
    if (loss === null || activity === null) {
      return;
    }
    let wanted = true;
    void variables.look().then(seen => {
      if (wanted && seen.unavailable === null) {
        setLook({ loss, held: seen.variables.map(({ name }) => name) });
      }
    });
    return () => {
      wanted = false;
    };
  }, [loss, activity, variables]);
  return loss && remaining(loss, look?.loss === loss ? look.held : []);
}
