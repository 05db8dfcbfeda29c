import { deleteIcon } from '@jupyterlab/ui-components';
import React, { useEffect, useRef, useState } from 'react';

import { nameOf } from '../../panel/binding';
import type { ThreadSummary } from '../../protocol/generated';
import { dateAndTime, dayOrTime } from '../../panel/when';
import { pathHere } from '../../state/roots';
import { IconButton, TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { usePanelValue, useWayBack } from '../hooks';

/** The threads of this notebook, then recent others, with a search. */
export function ThreadMenu(props: {
  readonly close: () => void;
}): React.JSX.Element {
  const trans = useTrans();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const focusSearch = () => search.current?.focus();
  const threads = usePanelValue(panel => panel.threads.threads);
  const path = usePanelValue(panel => panel.shown.path);
  const rootId = usePanelValue(panel => panel.client.rootId);
  const found = threads.filter(thread => matches(thread, query));
  const isHere = ({ target }: ThreadSummary) =>
    pathHere(target.notebook, rootId) === path;
  const here = found.filter(isHere);
  const elsewhere = found.filter(thread => !isHere(thread));
  return (
    <>
      <input
        ref={search}
        type="search"
        className="jp-mod-styled jp-CaveLab-search"
        placeholder={trans.__('Search threads')}
        aria-label={trans.__('Search threads')}
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      <Section
        title={trans.__('This notebook')}
        threads={here}
        onDelete={focusSearch}
        {...props}
      />
      <Section
        title={trans.__('Others')}
        threads={elsewhere}
        onDelete={focusSearch}
        {...props}
      />
      {found.length === 0 && (
        <p className="jp-CaveLab-quiet">
          {query === ''
            ? trans.__('No threads yet.')
            : trans.__('No thread has these words in its title or notebook.')}
        </p>
      )}
    </>
  );
}

function pathOf(thread: ThreadSummary): string | null {
  return thread.target.notebook?.path ?? null;
}

function matches(thread: ThreadSummary, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/);
  const text = `${thread.title} ${pathOf(thread) ?? ''}`.toLowerCase();
  return words.every(word => text.includes(word));
}

function Section(props: {
  readonly title: string;
  readonly threads: readonly ThreadSummary[];
  readonly onDelete: () => void;
  readonly close: () => void;
}): React.JSX.Element | null {
  if (props.threads.length === 0) {
    return null;
  }
  return (
    <section>
      <h3 className="jp-CaveLab-menuTitle">{props.title}</h3>
      <ul className="jp-CaveLab-threads">
        {props.threads.map(thread => (
          <ThreadRow
            key={thread.thread_id}
            thread={thread}
            onDelete={props.onDelete}
            close={props.close}
          />
        ))}
      </ul>
    </section>
  );
}

function ThreadRow(props: {
  readonly thread: ThreadSummary;
  readonly onDelete: () => void;
  readonly close: () => void;
}): React.JSX.Element {
  const { thread, close } = props;
  const trans = useTrans();
  const panel = usePanel();
  const [asking, setAsking] = useState(false);
  const [deleteButton, goBack] = useWayBack<HTMLButtonElement>();
  const current = usePanelValue(
    now => now.outlook.thread?.threadId === thread.thread_id
  );
  if (asking) {
    const cancel = () => {
      goBack();
      setAsking(false);
    };
    return (
      <ConfirmDelete
        thread={thread}
        onDelete={props.onDelete}
        onCancel={cancel}
      />
    );
  }
  const path = pathOf(thread);
  return (
    <li className="jp-CaveLab-thread">
      <button
        type="button"
        className="jp-CaveLab-threadButton"
        aria-current={current}
        title={trans.__('Last changed: %1', dateAndTime(thread.changed))}
        onClick={() => {
          panel.shown.open(thread.thread_id);
          close();
        }}
      >
        <span className="jp-CaveLab-threadTitle">{thread.title}</span>
        <span className="jp-CaveLab-quiet">
          {[
            path === null ? null : nameOf(path),
            dayOrTime(thread.changed, new Date()),
            thread.running ? trans.__('running') : null,
            thread.read_only === null ? null : trans.__('read only')
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {thread.read_only === null && (
        <IconButton
          ref={deleteButton}
          icon={deleteIcon}
          label={trans.__('Delete "%1"', thread.title)}
          onClick={() => setAsking(true)}
        />
      )}
    </li>
  );
}

/** A thread is gone for good, so it is asked for once more. */
function ConfirmDelete(props: {
  readonly thread: ThreadSummary;
  /** Called when it is being deleted: the question goes away with its thread. */
  readonly onDelete: () => void;
  readonly onCancel: () => void;
}): React.JSX.Element {
  const trans = useTrans();
  const panel = usePanel();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  const remove = () => {
    props.onDelete();
    void panel.remove(props.thread.thread_id);
  };
  return (
    <li className="jp-CaveLab-thread">
      <p>
        {trans.__(
          'Delete "%1"? Its words and outputs are gone for good; its cells stay in the notebook.',
          props.thread.title
        )}
      </p>
      <div className="jp-CaveLab-actions">
        <TextButton onClick={remove}>{trans.__('Delete')}</TextButton>
        <TextButton ref={cancel} onClick={props.onCancel}>
          {trans.__('Cancel')}
        </TextButton>
      </div>
    </li>
  );
}
