import React, { useEffect, useState } from 'react';

import { readKeyName } from '../../panel/keyName';
import {
  type IModelDraft,
  learnedOf,
  optionsOf,
  settingsOf,
  windowOf
} from '../../panel/modelDraft';
import { sentence } from '../../panel/sentence';
import { readWindow } from '../../panel/windowText';
import type { ModelCheck, ServerStatus } from '../../protocol/generated';
import { never } from '../../state/never';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { CheckResult } from './checkresult';
import { KeyField } from './keyfield';
import { ModelOptionsFields } from './modeloptions';
import { TextField } from './textfield';

/** A test that takes longer than this is explained; most take less. */
const LATE_MS = 2_000;

/** What is done with a draft, and what came of it. */
type Work =
  | { readonly kind: 'idle' }
  | { readonly kind: 'testing' | 'saving' }
  | {
      readonly kind: 'tested';
      readonly draft: IModelDraft;
      readonly check: ModelCheck;
    }
  | {
      readonly kind: 'failed';
      readonly draft: IModelDraft;
      readonly sentence: string;
    };

interface IModelFieldsProps {
  readonly status: ServerStatus;
  readonly draft: IModelDraft;
  /** Where the name of the model is written. */
  readonly modelField: React.Ref<HTMLInputElement>;
  readonly onDraft: (draft: IModelDraft) => void;
}

/** Names a model; *Test* says what was tried and what came back, *Save* chooses it. */
export function ModelForm(
  props: IModelFieldsProps & { readonly onSaved: () => void }
): React.JSX.Element {
  const { status, draft, onSaved } = props;
  const trans = useTrans();
  const { server } = usePanel();
  const [work, setWork] = useState<Work>({ kind: 'idle' });
  const busy = work.kind === 'testing' || work.kind === 'saving';
  const off = !isComplete(draft);
  const fail = (reason: unknown) =>
    setWork({ kind: 'failed', draft, sentence: sentence(reason) });
  const test = () => {
    setWork({ kind: 'testing' });
    server
      .check(settingsOf(draft, status))
      .then(check => setWork({ kind: 'tested', draft, check }), fail);
  };
  const save = () => {
    setWork({ kind: 'saving' });
    server.save(settingsOf(draft, status)).then(onSaved, fail);
  };
  return (
    <form
      className="jp-CaveLab-form"
      onSubmit={event => {
        event.preventDefault();
        if (!off && !busy) {
          save();
        }
      }}
    >
      {status.model_locked && (
        <p className="jp-CaveLab-warning">
          {status.model === null
            ? trans.__(
                "This server's configuration lets no model be chosen. The guided tour needs none."
              )
            : trans.__(
                "The model is set by this server's configuration. You can set how it works."
              )}
        </p>
      )}
      <ModelFields {...props} />
      <div className="jp-CaveLab-actions">
        <TextButton disabled={off} busy={busy} onClick={test}>
          {work.kind === 'testing' ? trans.__('Testing …') : trans.__('Test')}
        </TextButton>
        <TextButton kind="accept" disabled={off} busy={busy} onClick={save}>
          {work.kind === 'saving' ? trans.__('Saving …') : trans.__('Save')}
        </TextButton>
      </div>
      <div role="status">
        <WorkWords work={work} draft={draft} />
      </div>
    </form>
  );
}

/** What came of the draft as it stands; nothing of what has been edited since. */
function WorkWords(props: {
  readonly work: Work;
  readonly draft: IModelDraft;
}): React.JSX.Element | null {
  const { work } = props;
  switch (work.kind) {
    case 'idle':
    case 'saving':
      return null;
    case 'testing':
      return <Patience />;
    case 'tested':
      return work.draft === props.draft ? (
        <CheckResult check={work.check} />
      ) : null;
    case 'failed':
      return work.draft === props.draft ? (
        <p className="jp-CaveLab-warning">{work.sentence}</p>
      ) : null;
    default:
      return never(work);
  }
}

/** Says of a test that takes long what it may be waiting for. */
function Patience(): React.JSX.Element | null {
  const trans = useTrans();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return late ? (
    <p className="jp-CaveLab-quiet">
      {trans.__(
        'The first test after a start of Jupyter loads the model library, which takes a few seconds.'
      )}
    </p>
  ) : null;
}

/** A model is named, a key either by its variable or not at all, and the window can be read. */
function isComplete({ model, key, window }: IModelDraft): boolean {
  const keyNamed = key.trim() === '' || readKeyName(key) === 'name';
  const refused = window !== null && readWindow(window).kind === 'refused';
  return model.trim() !== '' && keyNamed && !refused;
}

function ModelFields(props: IModelFieldsProps): React.JSX.Element {
  const { status, draft, onDraft } = props;
  const trans = useTrans();
  const disabled = status.model_locked;
  return (
    <>
      <TextField
        label={trans.__('Model')}
        hint={trans.__(
          'A litellm name, such as openai/gpt-5 or ollama_chat/qwen3'
        )}
        value={draft.model}
        disabled={disabled}
        field={props.modelField}
        onChange={model => onDraft({ ...draft, model })}
      />
      <TextField
        label={trans.__('Base URL (optional)')}
        hint={trans.__(
          'Any OpenAI-compatible address, such as http://localhost:11434/v1'
        )}
        value={draft.base}
        disabled={disabled}
        onChange={base => onDraft({ ...draft, base })}
      />
      <KeyField
        value={draft.key}
        found={status.key_names}
        disabled={disabled}
        onChange={key => onDraft({ ...draft, key })}
      />
      <ModelOptionsFields
        options={optionsOf(draft, status)}
        window={windowOf(draft, status)}
        learned={learnedOf(draft, status)}
        onOptions={options => onDraft({ ...draft, options })}
        onWindow={window => onDraft({ ...draft, window })}
      />
    </>
  );
}
