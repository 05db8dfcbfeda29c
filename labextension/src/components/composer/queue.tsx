import { closeIcon, editIcon } from '@jupyterlab/ui-components';
import React from 'react';

import { cellOf, textOf } from '../../panel/words';
import type { QueuedMessage } from '../../protocol/generated';
import { IconButton, TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue } from '../hooks';

const NONE: readonly QueuedMessage[] = [];

/** Messages that wait for the turn to end; each can be changed, taken back, or sent now. */
export function Queue(): React.JSX.Element | null {
  const trans = useTrans();
  const queue = usePanelValue(panel => panel.outlook.state?.queue ?? NONE);
  const coming = usePanelValue(panel => panel.sender.pending);
  const running = usePanelValue(panel => panel.outlook.turn !== null);
  const late = running ? coming : [];
  if (queue.length === 0 && late.length === 0) {
    return null;
  }
  return (
    <ul className="jp-CaveLab-queue" aria-label={trans.__('Queued messages')}>
      {queue.map(message => (
        <Queued key={message.message_id} message={message} />
      ))}
      {late.map(message => (
        <li key={message.id} className="jp-CaveLab-queued">
          <span className="jp-CaveLab-queuedText">
            {textOf(message.content, trans)}
          </span>
          <span className="jp-CaveLab-quiet">{trans.__('sending …')}</span>
        </li>
      ))}
    </ul>
  );
}

function Queued(props: { readonly message: QueuedMessage }): React.JSX.Element {
  const { message } = props;
  const trans = useTrans();
  const panel = usePanel();
  const { sender } = panel;
  const text = textOf(message.content, trans);
  // The button pressed goes away, and the focus with it, if it stays there.
  const leave = (done: Promise<unknown>) => {
    panel.focus();
    void done;
  };
  return (
    <li className="jp-CaveLab-queued">
      <span className="jp-CaveLab-queuedText" title={text}>
        {text}
      </span>
      {cellOf(message.content) === null && (
        <Typed message={message} leave={leave} />
      )}
      <IconButton
        icon={closeIcon}
        label={trans.__('Remove it from the queue')}
        onClick={() => leave(sender.unqueue(message))}
      />
    </li>
  );
}

/** What can be done with words: they go to the turn that runs, or back into the field. */
function Typed(props: {
  readonly message: QueuedMessage;
  readonly leave: (done: Promise<unknown>) => void;
}): React.JSX.Element {
  const { message, leave } = props;
  const trans = useTrans();
  const { sender } = usePanel();
  return (
    <>
      {message.when === 'steer' ? (
        <span className="jp-CaveLab-quiet">
          {trans.__('goes with the next result')}
        </span>
      ) : (
        <TextButton
          kind="link"
          title={trans.__(
            'A running turn gets it with its next result and is not interrupted; else it begins a turn'
          )}
          onClick={() => leave(sender.steer(message))}
        >
          {trans.__('Send now')}
        </TextButton>
      )}
      <IconButton
        icon={editIcon}
        label={trans.__('Take it back into the field')}
        onClick={() => leave(sender.edit(message))}
      />
    </>
  );
}
