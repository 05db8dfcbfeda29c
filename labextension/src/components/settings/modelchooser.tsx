import React, { useState } from 'react';

import { draftOf } from '../../panel/modelDraft';
import { withTaken } from '../../panel/serverSearch';
import type { ServerStatus } from '../../protocol/generated';
import { TextButton } from '../button';
import { useTrans } from '../context';
import { useWayBack } from '../hooks';
import { Finder } from './finder';
import { ModelForm } from './modelform';

/** Finds a model on this machine or takes its name, tries it and chooses it. */
export function ModelChooser(props: {
  readonly status: ServerStatus;
  /** Whether the form is there from the beginning, or only when it is asked for. */
  readonly open: boolean;
  readonly onSaved: () => void;
}): React.JSX.Element {
  const { status } = props;
  const trans = useTrans();
  const [draft, setDraft] = useState(() => draftOf(status));
  const [open, setOpen] = useState(props.open);
  const [modelField, toModelField] = useWayBack<HTMLInputElement>();
  const choose = () => {
    setOpen(true);
    toModelField();
  };
  return (
    <div className="jp-CaveLab-chooser">
      {!status.model_locked && (
        <Finder
          draft={draft}
          onTake={taken => {
            setDraft(withTaken(draft, taken));
            setOpen(true);
          }}
        />
      )}
      {open ? (
        <ModelForm
          status={status}
          draft={draft}
          modelField={modelField}
          onDraft={setDraft}
          onSaved={props.onSaved}
        />
      ) : (
        <div className="jp-CaveLab-tour">
          <TextButton onClick={choose}>{trans.__('Choose a model')}</TextButton>
          <span className="jp-CaveLab-quiet">
            <KeyWords names={status.key_names} />
          </span>
        </div>
      )}
    </div>
  );
}

function KeyWords(props: {
  readonly names: readonly string[];
}): React.JSX.Element {
  const { names } = props;
  const trans = useTrans();
  return (
    <>
      {names.length > 0
        ? trans.__('Keys found on this server: %1', names.join(', '))
        : trans.__(
            'Any model that litellm knows, or any OpenAI-compatible address, also on this machine.'
          )}
    </>
  );
}
