import { fireEvent, render, screen, within } from '@testing-library/react';
import React from 'react';

import { Finder } from '../../src/components/settings/finder';
import { ModelChooser } from '../../src/components/settings/modelchooser';
import { draftOf } from '../../src/panel/modelDraft';
import type { FoundServer, FoundServers } from '../../src/protocol/generated';
import { doing, Stage, STATUS } from '../support/panel';

const OLLAMA = 'http://127.0.0.1:11434/v1';

function ollama(set: Partial<FoundServer> = {}): FoundServer {
  return {
    name: 'Ollama',
    api_base: OLLAMA,
    owner: 'ada',
    needs_key: false,
    models: [{ name: 'qwen3:8b', model: 'openai/qwen3:8b' }],
    ...set
  };
}

function many(count: number): FoundServer['models'] {
  return Array.from({ length: count }, (_, index) => ({
    name: `m${index}`,
    model: `openai/m${index}`
  }));
}

interface IPlay {
  readonly stage: Stage;
  readonly asked: () => number;
  readonly answer: (found: FoundServers) => Promise<void>;
  readonly fail: (reason: Error) => Promise<void>;
}

/** A server that answers when the test says so. */
function play(): IPlay {
  const stage = new Stage();
  let asked = 0;
  let settle: (found: FoundServers) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  stage.api.findServers = () => {
    asked += 1;
    return new Promise((resolve, refuse) => {
      settle = resolve;
      reject = refuse;
    });
  };
  return {
    stage,
    asked: () => asked,
    answer: found => doing(() => settle(found)),
    fail: reason => doing(() => reject(reason))
  };
}

function show(open = true): IPlay {
  const played = play();
  const chooser = (
    <ModelChooser status={STATUS} open={open} onSaved={() => undefined} />
  );
  render(played.stage.set(chooser));
  return played;
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) =>
  doing(() => {
    button(name).focus();
    button(name).click();
  });
const find = () => press('Find model servers on this machine');
const text = () => document.body.textContent ?? '';
const field = (label: string | RegExp) =>
  screen.getByLabelText<HTMLInputElement>(label);

describe('looking for model servers', () => {
  it('asks nothing before the click, and says what the click asks', async () => {
    const played = show();
    expect(played.asked()).toBe(0);
    expect(text()).toContain('only when you click');
    await find();
    expect(played.asked()).toBe(1);
  });

  it('says that it looks, keeps the focus, and asks only once at a time', async () => {
    const played = show();
    await find();
    expect(text()).toContain('Looking …');
    const looking = button('Find model servers on this machine');
    expect(document.activeElement).toBe(looking);
    await doing(() => looking.click());
    expect(played.asked()).toBe(1);
  });

  it('says where a server is, and whose port that is, if it is known', async () => {
    const played = show();
    await find();
    const lms = ollama({
      name: 'LM Studio',
      api_base: 'http://b',
      owner: null
    });
    await played.answer({ servers: [ollama(), lms], refused: null });
    expect(text()).toContain('Found 2 model servers.');
    const [one, two] = screen.getAllByRole('listitem');
    expect(one.textContent).toContain(`Ollama ${OLLAMA}`);
    expect(one.textContent).toContain('belongs to the user ada');
    expect(two.textContent).not.toContain('belongs to');
  });

  it('puts a model that is clicked into the form, and saves nothing', async () => {
    const played = show();
    const saved = jest.spyOn(played.stage.api, 'saveSettings');
    await find();
    await played.answer({ servers: [ollama()], refused: null });
    await press('qwen3:8b');
    expect(field('Model').value).toBe('openai/qwen3:8b');
    expect(field(/Base URL/).value).toBe(OLLAMA);
    expect(field(/Environment variable/).value).toBe('');
    expect(button('qwen3:8b').getAttribute('aria-pressed')).toBe('true');
    expect(document.activeElement).toBe(button('qwen3:8b'));
    expect(text()).toContain('openai/qwen3:8b is in the form below.');
    expect(saved).not.toHaveBeenCalled();
    await find();
    expect(text()).not.toContain('is in the form below.');
  });

  it('no longer says that a model is in the form once another is written there', async () => {
    const played = show();
    await find();
    await played.answer({ servers: [ollama()], refused: null });
    await press('qwen3:8b');
    const write = (value: string) =>
      fireEvent.change(field('Model'), { target: { value } });
    write('openai/other');
    expect(text()).not.toContain('is in the form below.');
    expect(button('qwen3:8b').getAttribute('aria-pressed')).toBe('false');
    write('openai/qwen3:8b');
    expect(text()).toContain('openai/qwen3:8b is in the form below.');
  });

  it('opens the form of the first start with the model in it', async () => {
    const played = show(false);
    expect(screen.queryByLabelText('Model')).toBeNull();
    await find();
    await played.answer({ servers: [ollama()], refused: null });
    await press('qwen3:8b');
    expect(field('Model').value).toBe('openai/qwen3:8b');
  });

  it('shows the first models of many, and leads to the others', async () => {
    const played = show();
    await find();
    await played.answer({
      servers: [ollama({ models: many(11) })],
      refused: null
    });
    const models = within(screen.getByRole('group', { name: /Ollama/ }));
    expect(models.getAllByRole('button')).toHaveLength(9);
    await press('3 more');
    expect(models.getAllByRole('button')).toHaveLength(11);
    expect(document.activeElement).toBe(button('m8'));
  });

  it('says of a server without models what to do', async () => {
    const played = show();
    await find();
    await played.answer({ servers: [ollama({ models: [] })], refused: null });
    expect(text()).toContain('It offers no model.');
  });

  it('puts the address of a server that wants a key into the form', async () => {
    const played = show();
    await find();
    const jan = ollama({ name: 'Jan', models: [], needs_key: true });
    await played.answer({ servers: [jan], refused: null });
    expect(text()).not.toContain('It offers no model.');
    await press('Use this server Jan');
    expect(field('Model').value).toBe('');
    expect(field(/Base URL/).value).toBe(OLLAMA);
    expect(text()).toContain('Name a model of it there, as openai/');
  });

  it('says what to do when nothing is there, and looks again', async () => {
    const played = show();
    await find();
    await played.answer({ servers: [], refused: null });
    expect(text()).toContain('No model server answered. Start one');
    await find();
    expect(played.asked()).toBe(2);
    expect(text()).not.toContain('No model server answered.');
  });

  it('says why the server did not look', async () => {
    const played = show();
    await find();
    await played.answer({ servers: [], refused: 'Not on a shared machine.' });
    expect(text()).toContain('Not on a shared machine.');
    expect(text()).not.toContain('No model server answered.');
  });

  it('says what went wrong', async () => {
    const played = show();
    await find();
    await played.fail(new Error("The server can't be reached."));
    expect(text()).toContain("The server can't be reached.");
  });

  it.each([
    ['hub.example.org', true],
    ['localhost', false]
  ])('says of %s whether this machine is another one: %s', (host, other) => {
    const { stage } = play();
    render(
      stage.set(
        <Finder draft={draftOf(STATUS)} host={host} onTake={() => undefined} />
      )
    );
    expect(text().includes(`runs Jupyter: ${host}`)).toBe(other);
  });
});

describe('the first start', () => {
  it('leads to the name of the model when one is to be chosen', async () => {
    show(false);
    await press('Choose a model');
    expect(document.activeElement).toBe(field('Model'));
  });
});
