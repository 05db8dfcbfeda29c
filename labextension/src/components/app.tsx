import React, { useLayoutEffect, useRef } from 'react';

import type { PanelModel } from '../panel/model';
import { Announcer } from './announcer';
import { Banner } from './banner';
import { BindingLine } from './binding/bindingline';
import { Composer } from './composer/composer';
import { DrawingContext, type IDrawing, PanelContext } from './context';
import { Empty } from './empty';
import { ContextLine } from './given/contextline';
import { Header } from './header/header';
import { usePanelValue } from './hooks';
import { isOfInputMethod } from './keys';
import { Prompts } from './prompts';
import { Settings } from './settings/settings';
import { Transcript } from './transcript/transcript';

/**
 * An Esc so soon after a turn was still meant to stop it. It must not lead into the notebook,
 * where what is typed next would be taken for commands to its cells.
 */
const LATE_MS = 1_000;

/** The panel: one thread, or the model settings. */
export function App(props: {
  readonly panel: PanelModel;
  readonly drawing: IDrawing;
}): React.JSX.Element {
  return (
    <DrawingContext.Provider value={props.drawing}>
      <PanelContext.Provider value={props.panel}>
        <View panel={props.panel} />
      </PanelContext.Provider>
    </DrawingContext.Provider>
  );
}

function View(props: { readonly panel: PanelModel }): React.JSX.Element {
  const { panel } = props;
  const view = usePanelValue(now => now.view);
  const endedAt = useEnd();
  const onKeyDown = (event: React.KeyboardEvent) => {
    const composing = isOfInputMethod(event.nativeEvent);
    if (event.key !== 'Escape' || composing) {
      return;
    }
    event.stopPropagation();
    if (panel.outlook.busy) {
      void panel.sender.stop();
    } else if (!event.repeat && Date.now() - endedAt.current > LATE_MS) {
      void panel.leave();
    }
  };
  return (
    <div className="jp-CaveLab-app" onKeyDown={onKeyDown}>
      {view === 'settings' ? <Settings /> : <ThreadView />}
      <Announcer />
    </div>
  );
}

/** When there was something to stop last. */
function useEnd(): { readonly current: number } {
  const busy = usePanelValue(now => now.outlook.busy);
  const endedAt = useRef(0);
  useLayoutEffect(() => {
    if (!busy) {
      return;
    }
    return () => {
      endedAt.current = Date.now();
    };
  }, [busy]);
  return endedAt;
}

function ThreadView(): React.JSX.Element {
  const state = usePanelValue(panel => panel.outlook.state);
  const readOnly = usePanelValue(
    panel => panel.outlook.thread?.readOnly ?? null
  );
  const thread = usePanelValue(panel => panel.outlook.thread?.threadId ?? '');
  const sending = usePanelValue(panel => panel.sender.pending.length > 0);
  const mimeType = usePanelValue(panel => panel.outlook.mimeType);
  const empty = !sending && (state === null || isEmpty(state));
  return (
    <>
      <Header />
      <BindingLine />
      <ContextLine />
      <Banner />
      {empty ? (
        <Empty />
      ) : (
        <Transcript
          // Each thread is read from its end, and none goes on where another was left.
          key={thread}
          state={state}
          mimeType={mimeType}
          readOnly={readOnly !== null}
        />
      )}
      <Prompts />
      <Composer />
    </>
  );
}

function isEmpty(state: {
  readonly turns: readonly unknown[];
  readonly notices: readonly unknown[];
}): boolean {
  return state.turns.length === 0 && state.notices.length === 0;
}
