import type { TranslationBundle } from '@jupyterlab/translation';
import React from 'react';

import {
  heldBack,
  type HeldBack,
  lookWords,
  nameWords
} from '../../panel/looks';
import { briefly } from '../../panel/variableWords';
import type { Excerpt, LookItem, Looked } from '../../protocol/generated';
import { escapeControls } from '../../render/controls';
import { never } from '../../state/never';
import { exactCount } from '../../state/summary';
import { useTrans } from '../context';
import { Facts } from '../given/facts';
import { usePanelValue } from '../hooks';
import { Folded } from './folded';

interface ILookProps {
  readonly item: LookItem;
  /** What it is called among all rows of all threads. */
  readonly id: string;
}

const NO_RUNS = {};

/** A look at variables or outputs, in one line: it ran nothing and left no cell. */
export function Look(props: ILookProps): React.JSX.Element {
  const { item, id } = props;
  const trans = useTrans();
  const words = usePanelValue(now =>
    lookWords(item, now.outlook.state?.runs ?? NO_RUNS, trans)
  );
  return (
    <Folded
      id={id}
      className="jp-CaveLab-look"
      by={item.by}
      summary={open => (
        <span
          className={open ? undefined : 'jp-CaveLab-cutLine'}
          title={open ? undefined : words}
        >
          {words}
        </span>
      )}
    >
      {() => <Answers item={item} />}
    </Folded>
  );
}

function Answers(props: { readonly item: LookItem }): React.JSX.Element {
  const { item } = props;
  return (
    <ul className="jp-CaveLab-looked">
      {item.answers.map((answer, at) => (
        <li key={at}>
          <Answer answer={answer} item={item} />
        </li>
      ))}
    </ul>
  );
}

/** What was found of one name: what it is, what it holds, and what the model was told of that. */
function Answer(props: {
  readonly answer: Looked;
  readonly item: LookItem;
}): React.JSX.Element {
  const { answer, item } = props;
  const { variable, text, note } = answer;
  const trans = useTrans();
  const held = usePanelValue(now =>
    heldBack(answer, item, now.outlook.state?.runs ?? NO_RUNS)
  );
  const name = usePanelValue(now =>
    nameWords(answer.name, now.outlook.state?.runs ?? NO_RUNS, trans)
  );
  return (
    <>
      <p className="jp-CaveLab-lookedName">
        <span className="jp-CaveLab-lookedThing">{name}</span>
        {variable !== null && <span>{briefly(variable)}</span>}
      </p>
      {variable !== null && text === null && <Facts variable={variable} />}
      {text !== null && held !== 'secret' && <Text text={text} of={name} />}
      {note !== null && held !== 'outputs' && (
        <p>{noteWords(note, item.by, trans)}</p>
      )}
      {held !== null && <p>{heldWords(held, trans)}</p>}
    </>
  );
}

/** What was said of a thing besides; what was said to the model is given as that. */
function noteWords(
  note: string,
  by: LookItem['by'],
  trans: TranslationBundle
): string {
  const said = escapeControls(note);
  return by === 'model' ? trans.__('The model was told: %1', said) : said;
}

/** The text as the kernel gave it, at most so high that the talk stays in view. */
function Text(props: {
  readonly text: Excerpt;
  readonly of: string;
}): React.JSX.Element {
  const { head, tail, total, cut } = props.text;
  const trans = useTrans();
  const left = Math.max(0, total - head.length - tail.length);
  return (
    <div
      className="jp-CaveLab-lookedText"
      role="group"
      aria-label={trans.__('What %1 holds', props.of)}
      tabIndex={0}
    >
      {escapeControls(head)}
      {cut && (
        <span className="jp-CaveLab-quiet">
          {`\n${trans.__('… %1 characters left out …', exactCount(left))}\n`}
        </span>
      )}
      {escapeControls(tail)}
    </div>
  );
}

function heldWords(held: HeldBack, trans: TranslationBundle): string {
  switch (held) {
    case 'schema':
      return trans.__(
        'The model was told what it is, not what it holds: privacy was “Schema”.'
      );
    case 'outputs':
      return trans.__('The model was not told it: privacy was “Schema”.');
    case 'values':
      return trans.__(
        'The model was not told these values: privacy was “Standard”.'
      );
    case 'secret':
      return trans.__(
        'It is named like a secret, so its value is shown to nobody.'
      );
    default:
      return never(held);
  }
}
