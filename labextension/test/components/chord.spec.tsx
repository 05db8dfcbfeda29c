import {
  act,
  cleanup,
  createEvent,
  fireEvent,
  screen
} from '@testing-library/react';
import { nullTranslator } from '@jupyterlab/translation';
import { CommandRegistry } from '@lumino/commands';

import schema from '../../schema/plugin.json';
import { addCommands } from '../../src/commands';
import { CommandIDs } from '../../src/tokens';
import { doing, type Stage } from '../support/panel';
import { button, later, play } from '../support/waiting';

let stop: () => void = () => undefined;
afterEach(cleanup);
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  stop();
  jest.useRealTimers();
});

/** CaveLab's commands and shortcuts, as JupyterLab has them on this page. */
function jupyterLab(stage: Stage, isVisible = true): CommandRegistry {
  const commands = new CommandRegistry();
  addCommands({
    commands,
    palette: null,
    panel: {
      model: stage.panel,
      isVisible,
      loaded: () => Promise.resolve(stage.panel)
    },
    trans: nullTranslator.load('cave_lab'),
    show: () => undefined
  });
  schema['jupyter.lab.shortcuts'].forEach(one => commands.addKeyBinding(one));
  return commands;
}

/** JupyterLab hears a key before the panel does, or after it, by its version. */
function listen(commands: CommandRegistry, first: boolean): void {
  const hear = (event: KeyboardEvent) => commands.processKeydownEvent(event);
  document.addEventListener('keydown', hear, first);
  stop = () => document.removeEventListener('keydown', hear, first);
}

const chord = (node: Element) =>
  doing(() =>
    fireEvent(
      node,
      createEvent.keyDown(node, { key: 'Enter', keyCode: 13, ctrlKey: true })
    )
  );
const reason = () => screen.getByRole('textbox', { name: /Reason/ });
const outcomes = (stage: Stage) =>
  stage.client.of('approval.answer').map(answer => answer.outcome);

describe.each([
  ['before the panel', true],
  ['after the panel', false]
])('Accel Enter, heard by JupyterLab %s', (_, first) => {
  function waiting(): Stage {
    const stage = play().tell();
    listen(jupyterLab(stage), first);
    later();
    return stage;
  }

  it('rejects the cell with the reason in which it is pressed, and runs nothing', async () => {
    const stage = waiting();
    act(() => button('Reject').click());
    fireEvent.change(reason(), { target: { value: 'it drops the table' } });
    await chord(reason());
    expect(stage.client.of('approval.answer')).toMatchObject([
      { outcome: 'rejected', reason: 'it drops the table' }
    ]);
  });

  it.each(['Edit', 'Reject', 'Run all in this turn'])(
    'runs nothing on the button %s',
    async name => {
      const stage = waiting();
      await chord(button(name));
      expect(outcomes(stage)).toEqual([]);
    }
  );

  it('runs nothing on the button Discard edit', async () => {
    const stage = waiting();
    act(() => button('Edit').click());
    later();
    await chord(button('Discard edit'));
    expect(outcomes(stage)).toEqual([]);
  });

  it('runs nothing on the button Cancel beside a reason', async () => {
    const stage = waiting();
    act(() => button('Reject').click());
    await chord(button('Cancel'));
    expect(outcomes(stage)).toEqual([]);
  });

  it('runs the cell on the card itself, on Run and in the code', async () => {
    const stage = waiting();
    stage.client.answers['approval.answer'] = 'Not now.';
    const code = () => screen.getByRole('textbox', { name: 'Proposed code' });
    const places = [
      () => screen.getByRole('alertdialog'),
      code,
      () => button('Run')
    ];
    for (const place of places) {
      act(() => place().focus());
      await chord(place());
    }
    expect(outcomes(stage)).toEqual(['run', 'run', 'run']);
  });
});

describe('the command that runs a proposed cell', () => {
  const enabled = (commands: CommandRegistry) =>
    commands.isEnabled(CommandIDs.runProposed);

  it('does nothing while the settings hide the cell', async () => {
    const stage = play().tell();
    later();
    const commands = jupyterLab(stage);
    expect(enabled(commands)).toBe(true);
    await doing(() => stage.panel.setView('settings'));
    expect(enabled(commands)).toBe(false);
    await doing(() => commands.execute(CommandIDs.runProposed));
    expect(outcomes(stage)).toEqual([]);
  });

  it('does nothing while the panel is collapsed', async () => {
    const stage = play().tell();
    later();
    const commands = jupyterLab(stage, false);
    expect(enabled(commands)).toBe(false);
    await doing(() => commands.execute(CommandIDs.runProposed));
    expect(outcomes(stage)).toEqual([]);
  });
});
