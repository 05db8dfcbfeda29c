import React, { useState } from 'react';

import { readKeyName } from '../../panel/keyName';
import { sentence } from '../../panel/sentence';
import type {
  ModelCheck,
  ModelSettings,
  ServerStatus
} from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { CheckResult } from './checkresult';
import { KeyField } from './keyfield';
import { TextField } from './textfield';

type Work =
  | { readonly kind: 'idle' }
  | { readonly kind: 'testing' | 'saving' }
  | { readonly kind: 'tested'; readonly check: ModelCheck }
  | { readonly kind: 'failed'; readonly sentence: string };

interface IText {
  readonly model: string;
  readonly base: string;
  readonly key: string;
}

function textOf(settings: ModelSettings | null, tour: string): IText {
  const own = settings?.model === tour ? null : settings;
  return {
    model: own?.model ?? '',
    base: own?.api_base ?? '',
    key: own?.key_env ?? ''
  };
}

function settingsOf(text: IText): ModelSettings {
  return {
    model: text.model.trim(),
    api_base: text.base.trim() || null,
    key_env: text.key.trim() || null
  };
}

/** Names a model; *Test* says what was tried and what came back, *Save* chooses it. */
export function ModelForm(props: {
  readonly status: ServerStatus;
  readonly onSaved: () => void;
}): React.JSX.Element {
  const { status, onSaved } = props;
  const trans = useTrans();
  const { server } = usePanel();
  const [text, setText] = useState(() =>
    textOf(status.model, status.tour_model)
  );
  const [work, setWork] = useState<Work>({ kind: 'idle' });
  const busy = work.kind === 'testing' || work.kind === 'saving';
  const named = readKeyName(text.key) === 'name' || text.key.trim() === '';
  const off = busy || status.model_locked || text.model.trim() === '' || !named;
  const fail = (reason: unknown) =>
    setWork({ kind: 'failed', sentence: sentence(reason) });
  const test = () => {
    setWork({ kind: 'testing' });
    server
      .check(settingsOf(text))
      .then(check => setWork({ kind: 'tested', check }), fail);
  };
  const save = () => {
    setWork({ kind: 'saving' });
    server.save(settingsOf(text)).then(onSaved, fail);
  };
  return (
    <form
      className="jp-CaveLab-form"
      onSubmit={event => {
        event.preventDefault();
        if (!off) {
          save();
        }
      }}
    >
      {status.model_locked && (
        <p className="jp-CaveLab-warning">
          {trans.__("The model is set by this server's configuration.")}
        </p>
      )}
      <ModelFields
        text={text}
        onText={setText}
        keys={status.key_names}
        disabled={status.model_locked}
      />
      <div className="jp-CaveLab-actions">
        <TextButton disabled={off} onClick={test}>
          {work.kind === 'testing' ? trans.__('Testing …') : trans.__('Test')}
        </TextButton>
        <TextButton kind="accept" disabled={off} onClick={save}>
          {work.kind === 'saving' ? trans.__('Saving …') : trans.__('Save')}
        </TextButton>
      </div>
      <div role="status">
        {work.kind === 'tested' && <CheckResult check={work.check} />}
        {work.kind === 'failed' && (
          <p className="jp-CaveLab-warning">{work.sentence}</p>
        )}
      </div>
    </form>
  );
}

function ModelFields(props: {
  readonly text: IText;
  readonly onText: (text: IText) => void;
  readonly keys: readonly string[];
  readonly disabled: boolean;
}): React.JSX.Element {
  const { text, onText, keys, disabled } = props;
  const trans = useTrans();
  return (
    <>
      <TextField
        label={trans.__('Model')}
        hint={trans.__(
          'A litellm name, such as openai/gpt-5 or ollama_chat/qwen3'
        )}
        value={text.model}
        disabled={disabled}
        onChange={model => onText({ ...text, model })}
      />
      <TextField
        label={trans.__('Base URL (optional)')}
        hint={trans.__(
          'Any OpenAI-compatible address, such as http://localhost:11434/v1'
        )}
        value={text.base}
        disabled={disabled}
        onChange={base => onText({ ...text, base })}
      />
      <KeyField
        value={text.key}
        found={keys}
        disabled={disabled}
        onChange={key => onText({ ...text, key })}
      />
    </>
  );
}
