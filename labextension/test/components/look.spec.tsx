import { act, cleanup, fireEvent, screen } from '@testing-library/react';

import type {
  LookItem,
  Looked,
  PrivacyMode
} from '../../src/protocol/generated';
import { Stage } from '../support/panel';
import { DF } from '../support/variables';

const HEAD = 'date  region  revenue\n0  north  1.0';
const answer = (fields: Partial<Looked> = {}): Looked => ({
  name: 'df',
  variable: DF,
  text: null,
  values: false,
  note: null,
  ...fields
});
const told = (head: string, total = head.length) => ({
  head,
  tail: '',
  total,
  cut: total > head.length
});

function play(
  look: Partial<LookItem>,
  privacy: PrivacyMode = 'standard'
): Stage {
  const stage = new Stage();
  stage.stream.make('thread.created', { privacy });
  stage.stream.make('turn.started');
  stage.stream.make('variables.looked', look);
  return stage.open().show();
}

const row = () =>
  document.querySelector<HTMLDetailsElement>('.jp-CaveLab-look')!;

function open(details: Element = row()): void {
  act(() => {
    details.setAttribute('open', '');
    fireEvent(details, new Event('toggle'));
  });
}

describe('the row of a look', () => {
  it('is one line, folded, which says what was looked at and how closely', () => {
    play({ names: ['df', 'monthly'], answers: [answer()] });
    expect(row().open).toBe(false);
    expect(row().textContent).toBe('Looked at df, monthly: first rows');
  });

  it('says that the model is waited for behind it', () => {
    play({ answers: [answer()] });
    expect(screen.getByText('Waiting for the model …')).toBeTruthy();
  });

  it('opens to type, size and text of each name', () => {
    play({ by: 'user', answers: [answer({ text: told(HEAD), values: true })] });
    open();
    expect(screen.getByText('DataFrame 90 × 3')).toBeTruthy();
    const text = screen.getByRole('group', { name: 'What df holds' });
    expect(text.textContent).toBe(HEAD);
    expect(text.tabIndex).toBe(0);
  });

  it('says how much of a text is left out', () => {
    play({ by: 'user', answers: [answer({ text: told('abc', 12_003) })] });
    open();
    expect(row().textContent).toContain('… 12,000 characters left out …');
  });

  it('shows columns where there is no text, and the note that says why', () => {
    const columns = [
      { name: 'date', dtype: 'datetime64[ns]' },
      { name: 'note', dtype: '' }
    ];
    const variable = { ...DF, columns, columns_total: 7 };
    play({ answers: [answer({ variable, note: 'A cell runs.' })] });
    open();
    expect(row().textContent).toContain('date: datetime64[ns], note, 5 more');
    expect(screen.getByText('The model was told: A cell runs.')).toBeTruthy();
  });

  it('says of an unknown name what the kernel said', () => {
    play({
      by: 'user',
      answers: [answer({ variable: null, note: 'No such variable.' })]
    });
    open();
    expect(row().textContent).toContain('dfNo such variable.');
  });

  it.each([
    ['schema', 'user', /not what it holds: privacy was “Schema”/],
    ['standard', 'model', /not told these values: privacy was “Standard”/]
  ] as const)(
    'says what the privacy mode %s kept from the model',
    (privacy, by, words) => {
      play(
        { by, answers: [answer({ text: told(HEAD), values: true })] },
        privacy
      );
      open();
      expect(screen.getByText(words)).toBeTruthy();
      expect(row().textContent).toContain('north');
    }
  );

  it('says what was kept from the model then, whatever the privacy mode is now', () => {
    const held = answer({ text: told(HEAD), values: true });
    const stage = play({ by: 'user', answers: [held] });
    stage.stream.make('thread.changed', { privacy: 'schema' });
    stage.stream.make('variables.looked', { by: 'user', answers: [held] });
    stage.stream.make('thread.changed', { privacy: 'full' });
    stage.tell();
    const [before, then] = document.querySelectorAll('.jp-CaveLab-look');
    open(before);
    open(then);
    expect(before.textContent).not.toContain('privacy');
    expect(then.textContent).toContain('privacy was “Schema”');
  });

  it('gives what was said to the model as that, not as said to the person', () => {
    const note = 'Look at it alone.';
    play({ answers: [answer({ note })] });
    open();
    expect(
      screen.getByText('The model was told: Look at it alone.')
    ).toBeTruthy();
    cleanup();
    play({ by: 'user', answers: [answer({ note })] });
    open();
    expect(screen.getByText(note)).toBeTruthy();
  });

  it('says in words of its own that an output was kept from the model', () => {
    const stage = new Stage();
    stage.stream.make('thread.created', { privacy: 'schema' });
    stage.stream.make('turn.started');
    stage.stream.send('run-0a1b2c');
    stage.stream.make('run.ended', { run_id: 'run-0a1b2c' });
    const note = 'Outputs are not shared with you.';
    const held = answer({ name: 'out_0a1b2c', variable: null, note });
    stage.stream.make('variables.looked', {
      names: ['out_0a1b2c'],
      detail: 'page 1',
      answers: [held]
    });
    stage.open().show();
    open();
    expect(row().textContent).toContain(
      'The model was not told it: privacy was “Schema”.'
    );
    expect(row().textContent).not.toContain('shared with you');
  });

  it('shows nothing of what is named like a secret', () => {
    const secret = { name: 'api_key', text: told('sk-123'), values: true };
    play({ by: 'user', names: ['api_key'], answers: [answer(secret)] });
    open();
    expect(row().textContent).toContain('named like a secret');
    expect(row().textContent).not.toContain('sk-123');
  });

  it('stands with the message of the person who asked for it', () => {
    play({ by: 'user', answers: [answer()] });
    expect(row().previousElementSibling!.className).toBe('jp-CaveLab-message');
    expect(row().dataset.by).toBe('user');
  });
});
