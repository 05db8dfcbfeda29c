import type { TranslationBundle } from '@jupyterlab/translation';
import React, { useId } from 'react';

import {
  EFFORTS,
  effortWords,
  formatMeaning,
  FORMATS,
  formatWords
} from '../../panel/formats';
import type { LearnedFormat, ModelOptions } from '../../protocol/generated';
import { never } from '../../state/never';
import { useTrans } from '../context';
import { ChoiceField } from './choicefield';
import { WindowField } from './windowfield';

interface IModelOptionsProps {
  readonly options: ModelOptions;
  /** What is written as the context window. */
  readonly window: string;
  /** What was learned about the model, which is what *Automatic* goes by. */
  readonly learned: LearnedFormat | null;
  readonly onOptions: (options: ModelOptions) => void;
  readonly onWindow: (window: string) => void;
}

/** Whether a model is given images, as it is chosen. */
const SEES = ['yes', 'no'] as const;

/** How a model asks for cells, how much it reasons, and what it takes; folded, since it is rarely needed. */
export function ModelOptionsFields(
  props: IModelOptionsProps
): React.JSX.Element {
  const { options, onOptions } = props;
  const trans = useTrans();
  return (
    <details className="jp-CaveLab-fold">
      <summary>{trans.__('How this model works')}</summary>
      <div className="jp-CaveLab-form">
        <ChoiceField
          label={trans.__('How it asks for cells')}
          hint={formatMeaning(options.format, props.learned, trans)}
          value={options.format}
          choices={FORMATS}
          words={format =>
            format === null ? trans.__('Automatic') : formatWords(format, trans)
          }
          onChange={format => onOptions({ ...options, format })}
        />
        <PlainBlocks
          checked={options.plain_fences_run}
          onChange={plain_fences_run =>
            onOptions({ ...options, plain_fences_run })
          }
        />
        <ChoiceField
          label={trans.__('Reasoning')}
          hint={trans.__(
            'How much it thinks before it answers. Not every model lets itself be told.'
          )}
          value={options.effort}
          choices={EFFORTS}
          words={effort => effortWords(effort, trans)}
          onChange={effort => onOptions({ ...options, effort })}
        />
        <WindowField text={props.window} onText={props.onWindow} />
        <ChoiceField
          label={trans.__('Sees images')}
          hint={trans.__(
            'Figures are given to it as images, or else told in a line of text.'
          )}
          value={options.sees === null ? null : options.sees ? 'yes' : 'no'}
          choices={SEES}
          words={sees => seesWords(sees, trans)}
          onChange={sees =>
            onOptions({
              ...options,
              sees: sees === null ? null : sees === 'yes'
            })
          }
        />
      </div>
    </details>
  );
}

function seesWords(
  sees: (typeof SEES)[number] | null,
  trans: TranslationBundle
): string {
  switch (sees) {
    case null:
      return trans.__('Automatic');
    case 'yes':
      return trans.__('Yes');
    case 'no':
      return trans.__('No');
    default:
      return never(sees);
  }
}

function PlainBlocks(props: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): React.JSX.Element {
  const trans = useTrans();
  const id = useId();
  return (
    <div className="jp-CaveLab-formField">
      <label className="jp-CaveLab-check">
        <input
          type="checkbox"
          checked={props.checked}
          aria-describedby={`${id}-hint`}
          onChange={event => props.onChange(event.target.checked)}
        />
        {trans.__('Run plain code blocks too')}
      </label>
      <span id={`${id}-hint`} className="jp-CaveLab-quiet">
        {trans.__(
          'Blocks without the word “run” are proposed as cells too. This matters with fenced blocks only, and the mode still decides whether you are asked.'
        )}
      </span>
    </div>
  );
}
