import React, { useId } from 'react';

interface IChoiceFieldProps<T extends string> {
  readonly label: string;
  readonly hint: string;
  /** Null is the first choice, which leaves it to others. */
  readonly value: T | null;
  readonly choices: readonly T[];
  readonly words: (choice: T | null) => string;
  readonly onChange: (choice: T | null) => void;
}

/** A choice with its label above, and below it what the choice means. */
export function ChoiceField<T extends string>(
  props: IChoiceFieldProps<T>
): React.JSX.Element {
  const { choices, words } = props;
  const id = useId();
  return (
    <div className="jp-CaveLab-formField">
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        className="jp-CaveLab-select"
        value={props.value ?? ''}
        aria-describedby={`${id}-hint`}
        onChange={event => {
          const chosen = event.target.value;
          props.onChange(choices.find(one => one === chosen) ?? null);
        }}
      >
        <option value="">{words(null)}</option>
        {choices.map(choice => (
          <option key={choice} value={choice}>
            {words(choice)}
          </option>
        ))}
      </select>
      <span id={`${id}-hint`} className="jp-CaveLab-quiet" aria-live="polite">
        {props.hint}
      </span>
    </div>
  );
}
