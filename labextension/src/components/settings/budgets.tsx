import React, { useLayoutEffect, useRef, useState } from 'react';

import { MEASURES } from '../../panel/amounts';
import {
  type BudgetDraft,
  budgetsOf,
  type BudgetTexts,
  draftOfBudgets,
  type Span
} from '../../panel/budgetDraft';
import { spanWords } from '../../panel/budgetWords';
import { sentence } from '../../panel/sentence';
import type { Budget, Budgets, ServerStatus } from '../../protocol/generated';
import { TextButton } from '../button';
import { usePanel, useTrans } from '../context';
import { AmountField } from './amountfield';

type Work =
  | { readonly kind: 'idle' | 'refused' | 'saving' | 'saved' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** How much a turn and a thread may use before the person is asked. */
export function BudgetsPart(props: {
  readonly status: ServerStatus;
}): React.JSX.Element {
  const trans = useTrans();
  return (
    <details className="jp-CaveLab-fold">
      <summary>{trans.__('Budgets')}</summary>
      <p>
        {trans.__(
          'A budget is a brake: the run that crosses it completes, then CaveLab stops and asks. An empty field sets no bound of yours.'
        )}
      </p>
      <BudgetForm status={props.status} />
      <p className="jp-CaveLab-quiet">
        {trans.__(
          '“At most” is the bound in the configuration of the server; the lower of the two holds. A bound in dollars does not hold for a model whose price is unknown.'
        )}
      </p>
    </details>
  );
}

function BudgetForm(props: {
  readonly status: ServerStatus;
}): React.JSX.Element {
  const { budgets, budget_caps } = props.status;
  const trans = useTrans();
  const { draft, work, change, save } = useBudgetDraft(budgets);
  const form = useRef<HTMLFormElement>(null);
  useFirstRefused(form, work);
  return (
    <form
      ref={form}
      className="jp-CaveLab-form"
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      {(['turn', 'thread'] as const).map(span => (
        <BudgetFields
          key={span}
          span={span}
          texts={draft[span]}
          caps={budget_caps[span]}
          tried={work.kind === 'refused'}
          onTexts={texts => change({ ...draft, [span]: texts })}
        />
      ))}
      <div className="jp-CaveLab-actions">
        <TextButton busy={work.kind === 'saving'} onClick={save}>
          {work.kind === 'saving'
            ? trans.__('Saving …')
            : trans.__('Save budgets')}
        </TextButton>
      </div>
      <div role="status">
        {work.kind === 'saved' && <p>{trans.__('The budgets are saved.')}</p>}
        {work.kind === 'failed' && (
          <p className="jp-CaveLab-warning">{work.sentence}</p>
        )}
      </div>
    </form>
  );
}

interface IBudgetWork {
  readonly draft: BudgetDraft;
  readonly work: Work;
  readonly change: (draft: BudgetDraft) => void;
  readonly save: () => void;
}

/** What is in the fields, and how saving it stands. */
function useBudgetDraft(stored: Budgets): IBudgetWork {
  const { server } = usePanel();
  // Null while the fields say what is stored.
  const [changed, setChanged] = useState<BudgetDraft | null>(null);
  const [work, setWork] = useState<Work>({ kind: 'idle' });
  const draft = changed ?? draftOfBudgets(stored);
  const change = (now: BudgetDraft) => {
    setChanged(now);
    setWork(last => (last.kind === 'saving' ? last : { kind: 'idle' }));
  };
  const save = () => {
    const written = budgetsOf(draft);
    if (work.kind === 'saving') {
      return;
    }
    if (written === null) {
      setWork({ kind: 'refused' });
      return;
    }
    setWork({ kind: 'saving' });
    server.saveBudgets(written).then(
      () => {
        setWork({ kind: 'saved' });
        setChanged(latest => (latest === changed ? null : latest));
      },
      (reason: unknown) =>
        setWork({ kind: 'failed', sentence: sentence(reason) })
    );
  };
  // What was edited while it was being saved is not what is saved.
  const isOld = work.kind === 'saved' && changed !== null;
  return { draft, work: isOld ? { kind: 'idle' } : work, change, save };
}

/** Leads to the first field that can't be taken, whenever saving was refused. */
function useFirstRefused(
  form: React.RefObject<HTMLFormElement>,
  work: Work
): void {
  useLayoutEffect(() => {
    if (work.kind === 'refused') {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [form, work]);
}

function BudgetFields(props: {
  readonly span: Span;
  readonly texts: BudgetTexts;
  readonly caps: Budget;
  readonly tried: boolean;
  readonly onTexts: (texts: BudgetTexts) => void;
}): React.JSX.Element {
  const { texts } = props;
  const trans = useTrans();
  return (
    <fieldset className="jp-CaveLab-budget">
      <legend>{spanWords(props.span, trans)}</legend>
      {MEASURES.map(measure => (
        <AmountField
          key={measure}
          measure={measure}
          text={texts[measure]}
          cap={props.caps[measure]}
          tried={props.tried}
          onText={text => props.onTexts({ ...texts, [measure]: text })}
        />
      ))}
    </fieldset>
  );
}
