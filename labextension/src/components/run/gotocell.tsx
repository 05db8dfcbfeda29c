import React from 'react';

import { whyAbsent } from '../../panel/absence';
import type { RunState } from '../../protocol/generated';
import { pathHere } from '../../state/roots';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';

/** Whether the run's cell stands in the notebook, as far as is known. */
function isThere(run: RunState): boolean {
  const { placed, verdict } = run;
  return (
    placed !== null && verdict !== 'undone' && verdict !== 'deleted_by_user'
  );
}

/** A button that leads to a run's cell; `otherwise` if there is no such cell here. */
export function GoToCell(props: {
  readonly run: RunState;
  readonly words: string;
  readonly otherwise?: React.ReactNode;
}): React.JSX.Element {
  const { run, words, otherwise = null } = props;
  const trans = useTrans();
  const panel = usePanel();
  const path = run.target?.notebook
    ? pathHere(run.target.notebook, panel.client.rootId)
    : panel.shown.path;
  const { cell_id: cellId } = run;
  if (!isThere(run) || path === null || cellId === null) {
    return <>{otherwise}</>;
  }
  const goTo = () => {
    void panel.sender.attempt(async () => {
      if (!(await panel.notebooks.goToCell(path, cellId))) {
        throw new Error(whyAbsent(panel.shown.thread, trans));
      }
    });
  };
  return (
    <TextButton kind="link" onClick={goTo}>
      {words}
    </TextButton>
  );
}
