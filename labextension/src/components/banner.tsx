import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import type { Link } from '../state/client';
import { never } from '../state/never';
import { TextButton } from './button';
import { usePanel, useTrans } from './context';
import { usePanelValue } from './hooks';

/** What stands between the panel and its work: the connection, another server, the journal. */
export function Banner(): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const link = usePanelValue(now => now.outlook.link);
  const readOnly = usePanelValue(now => now.outlook.thread?.readOnly ?? null);
  const fault = usePanelValue(now => now.outlook.thread?.fault?.text ?? null);
  const writer = usePanelValue(now => now.outlook.writerProblem);
  const before = usePanelValue(now => now.outlook.lost);
  const lost = linkWords(link, before, trans);
  if (lost !== null) {
    return (
      <div className="jp-CaveLab-notice" data-level="warning" role="status">
        <p>{lost}</p>
        <LinkAction link={link} />
      </div>
    );
  }
  const words = fault ?? readOnly ?? writer;
  return words === null ? null : (
    <div className="jp-CaveLab-notice" data-level="warning" role="status">
      <p>{words}</p>
      {fault === null && readOnly !== null && (
        <div className="jp-CaveLab-actions">
          <TextButton onClick={() => panel.shown.lookAgain()}>
            {trans.__('Look again')}
          </TextButton>
          <TextButton onClick={() => void panel.steps.take('new_thread', null)}>
            {trans.__('New thread')}
          </TextButton>
        </div>
      )}
    </div>
  );
}

/** What keeps the page from its server; `lost` says that it was connected before. */
function linkWords(
  link: Link,
  lost: boolean,
  trans: TranslationBundle
): string | null {
  switch (link.kind) {
    case 'open':
      return null;
    case 'connecting':
      return lost ? lostWords(trans) : null;
    case 'waiting':
      return lostWords(trans);
    case 'version':
      return trans.__(
        'This page and the server are of different versions of CaveLab. Reload the page; if that does not help, update CaveLab.'
      );
    case 'forbidden':
      return trans.__(
        'The server does not let this page in. Sign in to JupyterLab again, then reload the page.'
      );
    default:
      return never(link);
  }
}

function lostWords(trans: TranslationBundle): string {
  return trans.__(
    'The connection to the server is lost. If the server is up, what runs there goes on. It is tried again by itself, and what you type is kept.'
  );
}

function LinkAction(props: { readonly link: Link }): React.JSX.Element | null {
  const trans = useTrans();
  const panel = usePanel();
  const { kind } = props.link;
  if (kind === 'waiting' || kind === 'connecting') {
    return (
      <div className="jp-CaveLab-actions">
        <TextButton onClick={() => panel.reconnect()}>
          {trans.__('Try now')}
        </TextButton>
      </div>
    );
  }
  return (
    <div className="jp-CaveLab-actions">
      <TextButton onClick={() => void panel.steps.take('reload_page', null)}>
        {trans.__('Reload the page')}
      </TextButton>
    </div>
  );
}
