import { isKernelLanguage } from '../state/languages';
import type { PanelModel } from './model';

/** Why a block of an answer can not be let run now. */
export type Hindrance =
  | 'turn_runs'
  | 'read_only'
  | 'not_connected'
  | 'may_not_approve'
  | 'unseen_characters';

/** Whether a block of code is one for the thread's kernel, in a thread where cells run at all. */
export function isForKernel(panel: PanelModel, language: string): boolean {
  const { state, mode } = panel.outlook;
  return (
    mode !== 'chat' &&
    isKernelLanguage(language, state?.target.language ?? null)
  );
}

/** What stands in the way of running code of an answer, which may hold what can't be seen; or null. */
export function hindrance(
  panel: PanelModel,
  unseen: boolean
): Hindrance | null {
  const { outlook } = panel;
  if (outlook.thread?.readOnly != null) {
    return 'read_only';
  }
  if (outlook.lost) {
    return 'not_connected';
  }
  if (!outlook.mayApprove) {
    return 'may_not_approve';
  }
  if (unseen) {
    return 'unseen_characters';
  }
  return outlook.busy ? 'turn_runs' : null;
}
