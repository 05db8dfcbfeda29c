import React, { useLayoutEffect, useRef, useState } from 'react';

import { learnedWords } from '../../panel/formats';
import { isSame } from '../../panel/modelDraft';
import { sentence } from '../../panel/sentence';
import { dateAndTime } from '../../panel/when';
import type {
  LearnedFormat,
  ModelMemory,
  ModelName
} from '../../protocol/generated';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';

type Work =
  | { readonly kind: 'idle' | 'forgetting' }
  | { readonly kind: 'forgotten'; readonly names: readonly ModelName[] }
  | { readonly kind: 'failed'; readonly sentence: string };

const IDLE: Work = { kind: 'idle' };

type Learned = ModelMemory & { readonly learned: LearnedFormat };

/** What CaveLab saw of models, to be forgotten one by one or all at once; nothing if that is nothing. */
export function LearnedList(props: {
  readonly memories: readonly ModelMemory[];
}): React.JSX.Element {
  const trans = useTrans();
  const [work, forget] = useForgetting();
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The button that was pressed went away with its model.
    if (work.kind === 'forgotten' && document.activeElement === document.body) {
      frame.current?.focus();
    }
  }, [work]);
  const learned = props.memories.filter(hasLearned);
  return (
    <div ref={frame} className="jp-CaveLab-learned" tabIndex={-1}>
      {learned.length > 0 && (
        <h3 className="jp-CaveLab-menuTitle">
          {trans.__('Learned about models')}
        </h3>
      )}
      <ul>
        {learned.map(memory => (
          <LearnedItem
            key={`${memory.model} ${memory.api_base ?? ''}`}
            memory={memory}
            busy={work.kind === 'forgetting'}
            onForget={() => forget([memory])}
          />
        ))}
      </ul>
      {learned.length > 1 && (
        <TextButton
          busy={work.kind === 'forgetting'}
          onClick={() => forget(learned)}
        >
          {trans.__('Forget all')}
        </TextButton>
      )}
      <div role="status">
        <WorkWords work={isUndone(work, learned) ? IDLE : work} />
      </div>
    </div>
  );
}

/** Whether something that was forgotten has been learned anew since. */
function isUndone(work: Work, learned: readonly ModelName[]): boolean {
  return (
    work.kind === 'forgotten' &&
    work.names.some(name => learned.some(one => isSame(one, name)))
  );
}

/** How forgetting stands, and what begins it. */
function useForgetting(): readonly [
  Work,
  (names: readonly ModelName[]) => void
] {
  const { server } = usePanel();
  const [work, setWork] = useState(IDLE);
  const forget = (names: readonly ModelName[]) => {
    setWork({ kind: 'forgetting' });
    server.forget(names).then(
      () => setWork({ kind: 'forgotten', names }),
      (reason: unknown) =>
        setWork({ kind: 'failed', sentence: sentence(reason) })
    );
  };
  return [work, forget];
}

function WorkWords(props: { readonly work: Work }): React.JSX.Element | null {
  const { work } = props;
  const trans = useTrans();
  switch (work.kind) {
    case 'idle':
    case 'forgetting':
      return null;
    case 'forgotten':
      return (
        <p>
          {trans.__(
            'Forgot what was learned about %1.',
            work.names.map(name => name.model).join(', ')
          )}
        </p>
      );
    case 'failed':
      return <p className="jp-CaveLab-warning">{work.sentence}</p>;
    default:
      return never(work);
  }
}

function LearnedItem(props: {
  readonly memory: Learned;
  readonly busy: boolean;
  readonly onForget: () => void;
}): React.JSX.Element {
  const { memory } = props;
  const trans = useTrans();
  return (
    <li>
      <div>
        <p>
          <strong>{memory.model}</strong>{' '}
          <span className="jp-CaveLab-quiet">{memory.api_base}</span>
        </p>
        <p title={dateAndTime(memory.learned.at)}>
          {learnedWords(memory.learned, trans)}
        </p>
      </div>
      <TextButton busy={props.busy} onClick={props.onForget}>
        {trans.__('Forget')}
        <span className="jp-CaveLab-hidden"> {memory.model}</span>
      </TextButton>
    </li>
  );
}

function hasLearned(memory: ModelMemory): memory is Learned {
  return memory.learned !== null;
}
