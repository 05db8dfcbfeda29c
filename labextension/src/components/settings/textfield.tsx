import React, { useId } from 'react';

/** A field with its label above and a hint below. */
export function TextField(props: {
  readonly label: string;
  readonly hint: React.ReactNode;
  readonly value: string;
  readonly disabled: boolean;
  readonly list?: string;
  readonly field?: React.Ref<HTMLInputElement>;
  readonly onChange: (value: string) => void;
}): React.JSX.Element {
  const id = useId();
  return (
    <div className="jp-CaveLab-formField">
      <label htmlFor={id}>{props.label}</label>
      <input
        ref={props.field}
        id={id}
        className="jp-mod-styled"
        type="text"
        autoComplete="off"
        spellCheck={false}
        list={props.list}
        value={props.value}
        disabled={props.disabled}
        aria-describedby={`${id}-hint`}
        onChange={event => props.onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className="jp-CaveLab-quiet">
        {props.hint}
      </span>
    </div>
  );
}
