import {
  addIcon,
  caretDownIcon,
  settingsIcon
} from '@jupyterlab/ui-components';
import React from 'react';

import { IconButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';
import { Popover } from '../popover';
import { ThreadMenu } from './threadmenu';
import { Title } from './title';

/** The thread's title, the other threads, and a new one. */
export function Header(): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const title = usePanelValue(now => now.outlook.state?.title ?? null);
  const readOnly = usePanelValue(now => now.outlook.thread?.readOnly ?? null);
  return (
    <div className="jp-CaveLab-header">
      <Title
        title={title ?? trans.__('New thread')}
        editable={title !== null && readOnly === null}
      />
      <Popover
        label={trans.__('Threads')}
        className="jp-CaveLab-threadMenu"
        onOpen={() => void panel.refreshThreads()}
        button={(open, toggle) => (
          <IconButton
            icon={caretDownIcon}
            label={trans.__('Other threads')}
            expanded={open}
            onClick={toggle}
          />
        )}
      >
        {close => <ThreadMenu close={close} />}
      </Popover>
      <IconButton
        icon={addIcon}
        label={trans.__('New thread (the kernel stays as it is)')}
        onClick={() => {
          panel.shown.begin();
          panel.focus();
        }}
      />
      <IconButton
        icon={settingsIcon}
        label={trans.__('Model settings')}
        onClick={() => panel.setView('settings')}
      />
    </div>
  );
}
