import React, { useState } from 'react';

import { isSame } from '../../panel/modelDraft';
import type { Taken } from '../../panel/serverSearch';
import type { FoundServer } from '../../protocol/generated';
import { TextButton } from '../button';
import { useTrans } from '../context';
import { useWayBack } from '../hooks';

/** So many models of a server are shown before more are asked for. */
const FIRST = 8;

interface IFoundServerProps {
  readonly found: FoundServer;
  /** What was put into the form. */
  readonly taken: Taken | null;
  readonly onTake: (taken: Taken) => void;
}

/** A model server: where it is, whose it is, and its models to choose from. */
export function FoundServerItem(props: IFoundServerProps): React.JSX.Element {
  const { found } = props;
  const trans = useTrans();
  return (
    <li>
      <p>
        <strong>{found.name}</strong>{' '}
        <span className="jp-CaveLab-quiet">{found.api_base}</span>
      </p>
      {found.owner !== null && (
        <p className="jp-CaveLab-quiet">
          {trans.__('Its port belongs to the user %1.', found.owner)}
        </p>
      )}
      <Offer {...props} />
    </li>
  );
}

/** The models of a server, or how to come by one. */
function Offer(props: IFoundServerProps): React.JSX.Element {
  const { found, onTake } = props;
  const trans = useTrans();
  if (found.needs_key) {
    return (
      <>
        <p>{trans.__('It shows its models only to those who have a key.')}</p>
        <TextButton
          onClick={() => onTake({ kind: 'address', base: found.api_base })}
        >
          {trans.__('Use this server')}
          <span className="jp-CaveLab-hidden"> {found.name}</span>
        </TextButton>
      </>
    );
  }
  return found.models.length > 0 ? (
    <FoundModels {...props} />
  ) : (
    <p>
      {trans.__('It offers no model. Get or load one there, then look again.')}
    </p>
  );
}

function FoundModels(props: IFoundServerProps): React.JSX.Element {
  const { found, taken } = props;
  const chosen = taken?.kind === 'model' ? taken.name : null;
  const trans = useTrans();
  const [all, setAll] = useState(false);
  const [firstHidden, toFirstHidden] = useWayBack<HTMLButtonElement>();
  const shown = all ? found.models : found.models.slice(0, FIRST);
  const hidden = found.models.length - shown.length;
  return (
    <div
      className="jp-CaveLab-actions"
      role="group"
      aria-label={trans.__('Models of %1', found.name)}
    >
      {shown.map(({ name, model }, index) => {
        const named = { model, api_base: found.api_base };
        return (
          <button
            key={model}
            ref={index === FIRST ? firstHidden : undefined}
            type="button"
            className="jp-CaveLab-button jp-CaveLab-foundModel jp-mod-styled"
            aria-pressed={chosen !== null && isSame(chosen, named)}
            onClick={() => props.onTake({ kind: 'model', name: named })}
          >
            {name}
          </button>
        );
      })}
      {hidden > 0 && (
        <TextButton
          kind="link"
          onClick={() => {
            setAll(true);
            toFirstHidden();
          }}
        >
          {trans._n('%1 more', '%1 more', hidden)}
        </TextButton>
      )}
    </div>
  );
}
