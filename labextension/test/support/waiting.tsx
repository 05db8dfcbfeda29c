import { act, render, screen } from '@testing-library/react';
import React from 'react';

import { Composer } from '../../src/components/composer/composer';
import { usePanelValue } from '../../src/components/hooks';
import { WaitingCard } from '../../src/components/run/waiting';
import { RUN_DEAF_MS } from '../../src/panel/answers';
import { Stage } from './panel';

/** The name of something of the person's own, outside the panel's doings. */
export const THEIRS = 'a cell of the person';

/** The composer, and the card while the run waits. */
export function Scene(props: {
  readonly mimeType?: string;
}): React.JSX.Element {
  const run = usePanelValue(panel => panel.outlook.state?.runs['run-1']);
  const waits = run?.phase === 'waiting' && run.approval?.outcome === null;
  return (
    <>
      <button>{THEIRS}</button>
      <Composer />
      {waits && (
        <WaitingCard
          run={run}
          threadId="th-1"
          mimeType={props.mimeType ?? 'text/x-ipython'}
          readOnly={false}
        />
      )}
    </>
  );
}

/** The scene before the card comes up; `tell` brings it. */
export function play(code = 'x = 1'): Stage {
  const stage = new Stage();
  stage.stream.begin();
  stage.open();
  render(stage.set(<Scene />));
  stage.stream.make('run.proposed', { code });
  stage.stream.make('approval.requested');
  return stage;
}

export const field = () =>
  screen.getByLabelText<HTMLTextAreaElement>('Message');
export const button = (name: string) => screen.getByRole('button', { name });

/** Let the moment pass in which *Run* is deaf. */
export const later = () => act(() => jest.advanceTimersByTime(RUN_DEAF_MS));
