import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

import {
  completed,
  matching,
  type ITyped,
  typedAt
} from '../../panel/completing';
import { isPartOf } from '../../panel/kernelVariables';
import type { Variable, VariablesResult } from '../../protocol/generated';
import { useVariables } from '../usevariables';

/** What is offered for the name being typed. */
export interface IOffer {
  readonly variables: readonly Variable[];
  /** The one that Enter takes; -1 if there is none. */
  readonly index: number;
  /** What the kernel holds; null before that is known. */
  readonly seen: VariablesResult | null;
}

/** The names offered while one is typed behind `@`, and how the field takes part in it. */
export interface ICompletion {
  /** Null while the list is closed. */
  readonly offer: IOffer | null;
  readonly take: (name: string) => void;
  readonly close: () => void;
  /** The person has typed. */
  readonly onTyped: (field: HTMLTextAreaElement) => void;
  /** The caret stands elsewhere. */
  readonly onCaret: (field: HTMLTextAreaElement) => void;
  /** Take a key for the list; false leaves it to the field. */
  readonly onKey: (event: React.KeyboardEvent) => boolean;
}

/** Where a name is being typed, of which one is marked. */
interface IState {
  /** Where its `@` stands. */
  readonly from: number;
  readonly caret: number;
  readonly marked: string | null;
}

/** Offer the kernel's variables behind an `@` that the person types. */
export function useCompletion(
  field: RefObject<HTMLTextAreaElement>,
  text: string,
  onText: (text: string) => void
): ICompletion {
  const [state, setState] = useState<IState | null>(null);
  const putCaret = useCaret(field);
  const typed = state && typedAt(text, state.caret);
  const open = state !== null && typed?.from === state.from;
  const seen = useVariables(open);
  const offer = open ? offered(typed, seen, state.marked) : null;
  const close = () => setState(null);
  const take = (name: string) => {
    if (typed) {
      const next = completed(text, typed, name);
      putCaret(next.caret);
      onText(next.text);
    }
    close();
  };
  const mark = (step: 1 | -1) => {
    if (state && offer) {
      const { variables, index } = offer;
      const next = (index + step + variables.length) % variables.length;
      setState({ ...state, marked: variables[next].name });
    }
  };
  return {
    offer,
    take,
    close,
    onTyped: node => setState(begun(node)),
    onCaret: node => setState(now => now && moved(now, node)),
    onKey: event => offer !== null && onKey(event, offer, { take, mark, close })
  };
}

/** What the list does with keys. */
interface IActs {
  readonly take: (name: string) => void;
  readonly mark: (step: 1 | -1) => void;
  readonly close: () => void;
}

function onKey(
  event: React.KeyboardEvent,
  offer: IOffer,
  acts: IActs
): boolean {
  const act = actOf(event, offer, acts);
  if (act === null) {
    return false;
  }
  // Else the panel would take Esc for Stop.
  event.stopPropagation();
  event.preventDefault();
  act();
  return true;
}

function actOf(
  event: React.KeyboardEvent,
  { variables, index }: IOffer,
  acts: IActs
): (() => void) | null {
  if (event.key === 'Escape') {
    return acts.close;
  }
  const plain = !(
    event.shiftKey ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey
  );
  if (!plain || variables.length === 0) {
    return null;
  }
  switch (event.key) {
    case 'ArrowDown':
      return () => acts.mark(1);
    case 'ArrowUp':
      return () => acts.mark(-1);
    case 'Enter':
    case 'Tab':
      return () => acts.take(variables[index].name);
    default:
      return null;
  }
}

/** What there is to see; null if that is nothing, so that Esc and Enter are the field's again. */
function offered(
  { query }: ITyped,
  seen: VariablesResult | null,
  marked: string | null
): IOffer | null {
  const variables = matching(seen?.variables ?? [], query);
  if (variables.length === 0 && !needsWords(query, seen)) {
    return null;
  }
  const at = variables.findIndex(({ name }) => name === marked);
  const index = variables.length === 0 ? -1 : Math.max(0, at);
  return { variables, index, seen };
}

/** Whether it has to be said why no variable is offered. */
function needsWords(query: string, seen: VariablesResult | null): boolean {
  if (seen !== null && isPartOf(seen)) {
    return seen.variables.every(({ name }) => name !== query);
  }
  const holds = seen !== null && seen.unavailable === null && seen.total > 0;
  return query === '' && !holds;
}

/** A name that is being typed now; the caret alone begins none, wherever it goes. */
function begun(node: HTMLTextAreaElement): IState | null {
  const caret = node.selectionStart;
  const typed = typedAt(node.value, caret);
  return typed && { from: typed.from, caret, marked: null };
}

function moved(now: IState, node: HTMLTextAreaElement): IState | null {
  const { selectionStart: caret, selectionEnd, value } = node;
  const same = typedAt(value, caret)?.from === now.from;
  return same && caret === selectionEnd ? { ...now, caret } : null;
}

/** Puts the caret somewhere once the text that it stands in is drawn. */
function useCaret(
  field: RefObject<HTMLTextAreaElement>
): (caret: number) => void {
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current !== null) {
      field.current?.setSelectionRange(wanted.current, wanted.current);
      wanted.current = null;
    }
  });
  return caret => {
    wanted.current = caret;
  };
}
