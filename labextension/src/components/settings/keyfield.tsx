import React, { useId, useState } from 'react';

import { type KeyText, readKeyName } from '../../panel/keyName';
import { useTrans } from '../context';
import { TextField } from './textfield';

/** What the names of keys end in that the server looks for. */
const LOOKED_FOR = '_API_KEY';

/** Takes the name of an environment variable; a key that is put there instead is not kept. */
export function KeyField(props: {
  readonly value: string;
  /** Names of keys that are set on the server. */
  readonly found: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (name: string) => void;
}): React.JSX.Element {
  const { value, found } = props;
  const trans = useTrans();
  const id = useId();
  const [refused, setRefused] = useState(false);
  const onChange = (text: string) => {
    const isKey = readKeyName(text) === 'key' && !found.includes(text.trim());
    setRefused(isKey);
    props.onChange(isKey ? '' : text);
  };
  const hint = useHint(value.trim(), found);
  return (
    <div>
      <TextField
        label={trans.__('Environment variable that holds the key (optional)')}
        hint={refused ? null : hint}
        value={value}
        list={`${id}-keys`}
        disabled={props.disabled}
        onChange={onChange}
      />
      <div role="status">
        {refused && (
          <p className="jp-CaveLab-warning">
            {trans.__(
              'That looks like a key, not like the name of an environment variable, so it was taken out of the field. Keys are never stored here. Set an environment variable to the key before you start Jupyter, then write the name of that variable here, such as OPENAI_API_KEY.'
            )}
          </p>
        )}
      </div>
      <datalist id={`${id}-keys`}>
        {found.map(key => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </div>
  );
}

/** What is known of the name as it stands. */
function useHint(name: string, found: readonly string[]): string {
  const trans = useTrans();
  const text: KeyText = name === '' ? 'name' : readKeyName(name);
  if (text !== 'name') {
    return trans.__(
      'A name has letters, digits and _ only, and does not begin with a digit.'
    );
  }
  if (name.endsWith(LOOKED_FOR) && !found.includes(name)) {
    return trans.__(
      'No environment variable of that name is set on this server.'
    );
  }
  return found.length > 0
    ? trans.__('Set on this server: %1', found.join(', '))
    : trans.__(
        'No environment variable whose name ends in %1 is set on this server. The key itself is never typed here.',
        LOOKED_FOR
      );
}
