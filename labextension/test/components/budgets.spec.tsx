import { fireEvent, render, screen, within } from '@testing-library/react';
import React from 'react';

import { BudgetsPart } from '../../src/components/settings/budgets';
import { usePanelValue } from '../../src/components/hooks';
import type { Budgets, ServerStatus } from '../../src/protocol/generated';
import { doing, NO_BUDGET, Stage, STATUS } from '../support/panel';

const CAPPED: ServerStatus = {
  ...STATUS,
  budgets: { turn: { ...NO_BUDGET, seconds: 90 }, thread: NO_BUDGET },
  budget_caps: {
    turn: { ...NO_BUDGET, runs: 12, seconds: 3_600 },
    thread: NO_BUDGET
  }
};

function Page(): React.JSX.Element {
  const status = usePanelValue(now => now.server.status);
  return <BudgetsPart status={status ?? CAPPED} />;
}

function play(save?: (budgets: Budgets) => Promise<ServerStatus>): Budgets[] {
  const stage = new Stage();
  const sent: Budgets[] = [];
  stage.api.saveBudgets = budgets => {
    sent.push(budgets);
    return save?.(budgets) ?? Promise.resolve({ ...CAPPED, budgets });
  };
  render(stage.set(<Page />));
  fireEvent.click(screen.getByText('Budgets'));
  return sent;
}

const field = (span: string, label: string) =>
  within(
    screen.getByRole('group', { name: span })
  ).getByLabelText<HTMLInputElement>(label);
const hintOf = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-describedby')!)!.textContent;
const type = (input: HTMLElement, value: string) =>
  fireEvent.change(input, { target: { value } });
const save = () =>
  doing(() => screen.getByRole('button', { name: 'Save budgets' }).click());
const text = () => document.body.textContent ?? '';

describe('the budgets', () => {
  it('say what they are, and for which models money is none', () => {
    play();
    expect(text()).toContain('the run that crosses it completes');
    expect(text()).toContain('does not hold for a model whose price is');
  });

  it('show what is set, and what the server allows at most', () => {
    play();
    expect(field('Each turn', 'Minutes').value).toBe('1.5');
    expect(hintOf(field('Each turn', 'Minutes'))).toBe('At most 60');
    expect(hintOf(field('Each turn', 'Runs'))).toBe('At most 12');
    expect(hintOf(field('Each thread', 'Runs'))).toBe('No bound');
  });

  it('are saved as they are written, minutes as seconds', async () => {
    const sent = play();
    type(field('Each turn', 'Runs'), '5');
    type(field('Each turn', 'Minutes'), '');
    type(field('Each thread', 'Tokens'), '200000');
    type(field('Each thread', 'US dollars'), '1.50');
    await save();
    expect(sent).toEqual([
      {
        turn: { ...NO_BUDGET, runs: 5 },
        thread: { ...NO_BUDGET, tokens: 200_000, cost: 1.5 }
      }
    ]);
    expect(text()).toContain('The budgets are saved.');
    expect(field('Each thread', 'US dollars').value).toBe('1.5');
  });

  it('say of one above the bound of the server which of the two holds', () => {
    play();
    type(field('Each turn', 'Runs'), '20');
    expect(hintOf(field('Each turn', 'Runs'))).toBe(
      'The bound of the server is lower, and holds: 12'
    );
  });

  it('tell at the field what makes no sense', () => {
    play();
    const runs = field('Each thread', 'Runs');
    type(runs, 'many');
    expect(runs.getAttribute('aria-invalid')).toBe('true');
    expect(hintOf(runs)).toContain('Write a whole number in digits');
    type(runs, '4');
    expect(runs.getAttribute('aria-invalid')).toBe('false');
  });

  it('do not move by words that come as a field is left for the button', () => {
    play();
    const tokens = field('Each thread', 'Tokens');
    type(tokens, '20');
    const before = document.body.innerHTML;
    fireEvent.blur(tokens);
    expect(document.body.innerHTML).toBe(before);
    expect(tokens.getAttribute('aria-invalid')).toBe('false');
  });

  it.each([
    ['Runs', '1.5', 'without a point'],
    ['Runs', '0', 'Write 1 or more'],
    ['Tokens', '-5', 'Write 1000 or more'],
    ['US dollars', '0', 'Write more than 0'],
    ['US dollars', 'five', 'such as 0.5'],
    ['Minutes', '0', 'Write 0.02 (a second) or more'],
    ['Minutes', '9'.repeat(20), 'Too large']
  ])(
    'are not saved with %s of %s, and lead to the field',
    async (label, value, words) => {
      const sent = play();
      type(field('Each thread', label), value);
      await save();
      expect(sent).toEqual([]);
      const refused = field('Each thread', label);
      expect(hintOf(refused)).toContain(words);
      expect(document.activeElement).toBe(refused);
    }
  );

  it('say what the server says when it does not take them', async () => {
    play(() => Promise.reject(new Error('The disk is full.')));
    type(field('Each turn', 'Runs'), '5');
    await save();
    expect(text()).toContain('The disk is full.');
    expect(field('Each turn', 'Runs').value).toBe('5');
  });

  it('keep what is written while they are being saved', async () => {
    let answer: (status: ServerStatus) => void = () => undefined;
    play(() => new Promise(resolve => (answer = resolve)));
    type(field('Each turn', 'Runs'), '5');
    await save();
    type(field('Each turn', 'Runs'), '6');
    await doing(() => answer(CAPPED));
    expect(field('Each turn', 'Runs').value).toBe('6');
    expect(text()).not.toContain('The budgets are saved.');
  });
});
