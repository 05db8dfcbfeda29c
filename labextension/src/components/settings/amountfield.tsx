import React, { useId } from 'react';

import { type Measure, readAmount } from '../../panel/amounts';
import {
  boundWords,
  measureWords,
  refusalWords
} from '../../panel/budgetWords';
import { useTrans } from '../context';

/** A field for one bound of a budget; what can't be taken is told below. */
export function AmountField(props: {
  readonly measure: Measure;
  readonly text: string;
  /** What the server's configuration allows at most. */
  readonly cap: number | null;
  /** Whether it was tried to save what is written. */
  readonly tried: boolean;
  readonly onText: (text: string) => void;
}): React.JSX.Element {
  const { measure, text, tried } = props;
  const trans = useTrans();
  const id = useId();
  const amount = readAmount(measure, text);
  // Too little may become enough by one more digit. Leaving the field changes nothing: words that
  // come then would move the button away that is being pressed.
  const refused =
    amount.kind === 'refused' && (tried || amount.why !== 'too_small');
  return (
    <div className="jp-CaveLab-formField">
      <label htmlFor={id}>{measureWords(measure, trans)}</label>
      <input
        id={id}
        className="jp-mod-styled"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={refused}
        aria-describedby={`${id}-hint`}
        onChange={event => props.onText(event.target.value)}
      />
      <span
        id={`${id}-hint`}
        className={refused ? 'jp-CaveLab-fieldProblem' : 'jp-CaveLab-quiet'}
        aria-live="polite"
      >
        {refused
          ? refusalWords(measure, amount.why, trans)
          : boundWords(measure, amount, props.cap, trans)}
      </span>
    </div>
  );
}
