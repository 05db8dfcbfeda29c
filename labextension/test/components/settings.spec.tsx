import { fireEvent, screen } from '@testing-library/react';

import type { ModelCheck, ServerStatus } from '../../src/protocol/generated';
import { memory, remembering } from '../support/model';
import { doing, Stage, STATUS } from '../support/panel';

const CHECK: ModelCheck = {
  ok: true,
  tried: 'some/model',
  outcome: 'It called the tool.',
  detail: null,
  tools: true
};

/** The page of the model settings, of a server that says one thing after the other. */
async function play(...told: ServerStatus[]): Promise<Stage> {
  const stage = new Stage();
  const left = [...told];
  stage.api.status = () => Promise.resolve(left.shift() ?? told.at(-1)!);
  await doing(() => stage.panel.start());
  stage.show();
  // Asked anew as the page opens, so the second of what is told is what it shows.
  await doing(() => stage.panel.setView('settings'));
  return stage;
}

const button = (name: string) => screen.getByRole('button', { name });
const text = () => document.body.textContent ?? '';

describe('the page of the model settings', () => {
  it('has the model, what was learned, the budgets and the tour', async () => {
    await play(remembering(memory()));
    expect(screen.getByLabelText<HTMLInputElement>('Model').value).toBe(
      'some/model'
    );
    expect(text()).toContain('Learned about models');
    expect(screen.getByText('Budgets')).toBeTruthy();
    expect(button('Take the guided tour')).toBeTruthy();
  });

  it('folds what is rarely needed', async () => {
    await play(STATUS);
    const folds = [...document.querySelectorAll('details')];
    expect(folds.map(fold => fold.textContent?.slice(0, 7))).toEqual([
      'How thi',
      'Budgets'
    ]);
    expect(folds.some(fold => fold.open)).toBe(false);
  });

  it('says after a test what the test taught, with the focus where it was', async () => {
    const learned = {
      format: 'tools',
      reason: 'called_the_tool',
      at: '2026-11-29T12:00:00Z'
    } as const;
    const taught = remembering(memory({ learned }));
    const stage = await play(STATUS, STATUS, taught);
    let answer: (check: ModelCheck) => void = () => undefined;
    stage.api.checkModel = () => new Promise(resolve => (answer = resolve));
    button('Test').focus();
    await doing(() => button('Test').click());
    // A browser takes the focus from a button that is disabled; this page does not.
    expect(button('Testing …').hasAttribute('disabled')).toBe(false);
    expect(document.activeElement).toBe(button('Testing …'));
    expect(text()).toContain('Decided at the first message.');
    await doing(() => answer(CHECK));
    expect(document.activeElement).toBe(button('Test'));
    expect(text()).toContain('Came back: It called the tool.');
    expect(text()).not.toContain('Decided at the first message.');
    expect(text()).toContain('when it was tested on Nov 29, 2026.');
  });

  it('shows nothing that came of a model once another is in the form', async () => {
    const stage = await play(STATUS);
    const answers: ((check: ModelCheck) => void)[] = [];
    stage.api.checkModel = () => new Promise(resolve => answers.push(resolve));
    const write = (value: string) =>
      fireEvent.change(screen.getByLabelText('Model'), { target: { value } });
    await doing(() => button('Test').click());
    await doing(() => answers[0](CHECK));
    expect(text()).toContain('Came back: It called the tool.');
    write('other/model');
    expect(text()).not.toContain('Came back:');
    await doing(() => button('Test').click());
    write('a/third');
    await doing(() => answers[1](CHECK));
    expect(text()).not.toContain('Came back:');
    expect(button('Test').hasAttribute('aria-disabled')).toBe(false);
    stage.api.saveSettings = () => Promise.reject(new Error('Not that one.'));
    await doing(() => button('Save').click());
    expect(text()).toContain('Not that one.');
    write('a/fourth');
    expect(text()).not.toContain('Not that one.');
  });

  it('leave the focus alone when they are saved after the person went back', async () => {
    const stage = await play(STATUS);
    let answer: (status: ServerStatus) => void = () => undefined;
    stage.api.saveSettings = () => new Promise(resolve => (answer = resolve));
    await doing(() => button('Save').click());
    await doing(() => button('Back').click());
    await doing(() => screen.getByLabelText('Message').blur());
    await doing(() => answer(STATUS));
    expect(document.activeElement).toBe(document.body);
  });

  it.each(['Model', 'How it asks for cells'])(
    'goes back to the thread by Esc, also out of the field %s',
    async label => {
      const stage = await play(STATUS);
      fireEvent.keyDown(screen.getByLabelText(label), { key: 'Escape' });
      await doing(() => undefined);
      expect(stage.panel.view).toBe('thread');
      expect(document.activeElement).toBe(screen.getByLabelText('Message'));
    }
  );
});
