import React, { useId } from 'react';

import { readWindow, windowWords } from '../../panel/windowText';
import { useTrans } from '../context';

/** A field for how many tokens a model takes; what can't be taken is told below. */
export function WindowField(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
}): React.JSX.Element {
  const { text, onText } = props;
  const trans = useTrans();
  const id = useId();
  const window = readWindow(text);
  const refused = window.kind === 'refused';
  return (
    <div className="jp-CaveLab-formField">
      <label htmlFor={id}>{trans.__('Context window, in tokens')}</label>
      <input
        id={id}
        className="jp-mod-styled"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        value={text}
        aria-invalid={refused}
        aria-describedby={`${id}-hint`}
        onChange={event => onText(event.target.value)}
      />
      <span
        id={`${id}-hint`}
        className={refused ? 'jp-CaveLab-fieldProblem' : 'jp-CaveLab-quiet'}
        aria-live="polite"
      >
        {windowWords(window, trans)}
      </span>
    </div>
  );
}
