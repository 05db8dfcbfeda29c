import React, { useEffect, useRef } from 'react';

import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { isOfInputMethod } from '../keys';
import { BudgetsPart } from './budgets';
import { LearnedList } from './learned';
import { ModelChooser } from './modelchooser';
import { TourButton } from './tourbutton';

/** The model settings, in place of the thread. */
export function Settings(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const status = usePanelValue(now => now.server.status);
  const backButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What led here went away with the thread, and took the focus along.
    if (document.activeElement === document.body) {
      backButton.current?.focus();
    }
  }, []);
  const back = () => {
    panel.setView('thread');
    panel.focus();
  };
  const saved = () => {
    if (panel.view !== 'settings') {
      // The person has gone back already, and may be at work elsewhere.
      return;
    }
    if (panel.outlook.scripted) {
      // A thread of the tour stays with its script.
      panel.shown.begin();
    }
    back();
  };
  return (
    <div
      className="jp-CaveLab-page"
      onKeyDown={event => {
        if (event.key === 'Escape' && !isOfInputMethod(event.nativeEvent)) {
          event.stopPropagation();
          back();
        }
      }}
    >
      <div className="jp-CaveLab-header">
        <h2 className="jp-CaveLab-title">{trans.__('Model settings')}</h2>
        <TextButton ref={backButton} onClick={back}>
          {trans.__('Back')}
        </TextButton>
      </div>
      {status === null ? (
        <NoStatus />
      ) : (
        <>
          <ModelChooser status={status} open onSaved={saved} />
          <LearnedList memories={status.memories} />
          <BudgetsPart status={status} />
          <hr />
          <TourButton kind="plain" />
          <Problems problems={status.problems} />
        </>
      )}
    </div>
  );
}

/** The server has not said what it has. */
export function NoStatus(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const problem = usePanelValue(now => now.server.problem);
  return (
    <div className="jp-CaveLab-notice" data-level="warning">
      <p>{problem ?? trans.__('Asking the server …')}</p>
      {problem !== null && (
        <div className="jp-CaveLab-actions">
          <TextButton onClick={() => void panel.server.load()}>
            {trans.__('Try again')}
          </TextButton>
        </div>
      )}
    </div>
  );
}

/** What does not work on this server. */
export function Problems(props: {
  readonly problems: readonly string[];
}): React.JSX.Element | null {
  if (props.problems.length === 0) {
    return null;
  }
  return (
    <ul className="jp-CaveLab-problems">
      {props.problems.map(problem => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
