import { useEffect } from 'react';

import type { VariablesResult } from '../protocol/generated';
import { usePanel } from './context';
import { usePanelValue } from './hooks';

/**
 * What the kernel holds; null before that is known. It is looked at while `wanted`: at once, and
 * whenever the kernel has begun or ended something.
 */
export function useVariables(wanted: boolean): VariablesResult | null {
  const { variables } = usePanel();
  const activity = usePanelValue(now => now.outlook.binding?.activity);
  useEffect(() => {
    if (wanted) {
      void variables.look();
    }
  }, [wanted, activity, variables]);
  return usePanelValue(now => now.variables.seen);
}
