import { fireEvent, render, screen } from '@testing-library/react';
import React from 'react';

import { ModelChooser } from '../../src/components/settings/modelchooser';
import type {
  ModelOptions,
  ModelSettings,
  ServerStatus
} from '../../src/protocol/generated';
import { UNDECIDED } from '../../src/panel/modelDraft';
import { memory, remembering } from '../support/model';
import { doing, Stage, STATUS } from '../support/panel';

function play(status: ServerStatus): ModelSettings[] {
  const stage = new Stage();
  const sent: ModelSettings[] = [];
  stage.api.saveSettings = model => {
    sent.push(model);
    return Promise.resolve({ ...status, model });
  };
  render(
    stage.set(<ModelChooser status={status} open onSaved={() => undefined} />)
  );
  fireEvent.click(screen.getByText('How this model works'));
  return sent;
}

const formats = () =>
  screen.getByLabelText<HTMLSelectElement>('How it asks for cells');
const reasoning = () => screen.getByLabelText<HTMLSelectElement>('Reasoning');
const plain = () =>
  screen.getByLabelText<HTMLInputElement>('Run plain code blocks too');
const windowField = () =>
  screen.getByLabelText<HTMLInputElement>('Context window, in tokens');
const sees = () => screen.getByLabelText<HTMLSelectElement>('Sees images');
const choose = (field: HTMLElement, value: string) =>
  fireEvent.change(field, { target: { value } });
const name = (value: string) => choose(screen.getByLabelText('Model'), value);
const hintOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby')!)!.textContent;
const save = () =>
  doing(() => screen.getByRole('button', { name: 'Save' }).click());

const SET: ModelOptions = {
  format: 'fences',
  plain_fences_run: true,
  effort: 'high',
  window: 8192,
  sees: true
};

describe('how a model works', () => {
  it('is left to CaveLab and the provider, until the person says otherwise', async () => {
    const sent = play(STATUS);
    expect(formats().selectedOptions[0].text).toBe('Automatic');
    expect(hintOf(formats())).toBe('Decided at the first message.');
    expect(reasoning().selectedOptions[0].text).toBe("Provider's default");
    expect(windowField().value).toBe('');
    expect(hintOf(windowField())).toBe('Found out by CaveLab.');
    expect(sees().selectedOptions[0].text).toBe('Automatic');
    await save();
    expect(sent[0].options).toEqual(UNDECIDED);
  });

  it('is saved as the person set it', async () => {
    const sent = play(STATUS);
    choose(formats(), 'fences');
    fireEvent.click(plain());
    choose(reasoning(), 'high');
    choose(windowField(), '8192');
    choose(sees(), 'yes');
    await save();
    expect(sent[0].options).toEqual(SET);
  });

  it('is left to CaveLab again by Automatic, which says what it comes to', async () => {
    const sent = play(remembering(memory({ options: SET })));
    expect(hintOf(formats())).toContain('marked “run”');
    choose(formats(), '');
    expect(hintOf(formats())).toBe(
      'Fenced blocks: it refused tools on Nov 28, 2026.'
    );
    await save();
    expect(sent[0].options).toEqual({ ...SET, format: null });
  });

  it('is filled in for a model that is known, as soon as it is named', () => {
    play(remembering(memory({ model: 'known/model', options: SET })));
    expect(formats().value).toBe('');
    name('known/model');
    expect(formats().value).toBe('fences');
    expect(plain().checked).toBe(true);
    expect(reasoning().value).toBe('high');
    expect(windowField().value).toBe('8192');
    expect(sees().value).toBe('yes');
    name('known/model-2');
    expect(formats().value).toBe('');
  });

  it('stays as the person set it when another model is named', () => {
    play(remembering(memory({ model: 'known/model', options: SET })));
    choose(formats(), 'tools');
    name('known/model');
    expect(formats().value).toBe('tools');
    expect(plain().checked).toBe(false);
  });

  it("can be set also where the server's configuration sets the model", async () => {
    const sent = play({ ...STATUS, model_locked: true });
    expect(screen.getByLabelText<HTMLInputElement>('Model').disabled).toBe(
      true
    );
    expect(screen.queryByText(/Find model servers/)).toBeNull();
    choose(formats(), 'fences');
    await save();
    const options = { ...UNDECIDED, format: 'fences' };
    expect(sent).toEqual([{ ...STATUS.model, options }]);
  });

  it('says what a window comes to, and saves it in tokens', async () => {
    const sent = play(STATUS);
    choose(windowField(), '128k');
    expect(hintOf(windowField())).toBe(
      '128,000 tokens in one call, the answer included.'
    );
    choose(sees(), 'no');
    await save();
    expect(sent[0].options).toEqual({
      ...UNDECIDED,
      window: 128_000,
      sees: false
    });
  });

  it('saves no window that can not be, and says what can', async () => {
    const sent = play(remembering(memory({ options: SET })));
    choose(windowField(), '12');
    expect(hintOf(windowField())).toMatch(/^Write 2,048 or more/);
    expect(windowField().getAttribute('aria-invalid')).toBe('true');
    await save();
    expect(sent).toEqual([]);
    choose(windowField(), '');
    await save();
    expect(sent[0].options).toEqual({ ...SET, window: null });
  });
});
