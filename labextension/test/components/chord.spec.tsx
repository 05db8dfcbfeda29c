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
import { doing, type Stage, staged } from '../support/panel';
import { button, field, later, play } from '../support/waiting';

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

describe('Accel Enter in the message field', () => {
  /** A card that has waited for long, in a whole panel. */
  function shown(): Stage {
    const stage = staged(stream => {
      stream.make('run.proposed', { code: 'x = 1' });
      stream.make('approval.requested');
    });
    later();
    act(() => field().focus());
    return stage;
  }
  const write = (value: string) =>
    fireEvent.change(field(), { target: { value } });
  const rect = (top: number, bottom: number) => ({ top, bottom }) as DOMRect;
  /** Lay out the transcript, 100 px of which are in view, and *Run* in it. */
  const put = (top: number) => {
    screen.getByRole('log').getBoundingClientRect = () => rect(0, 100);
    button('Run').getBoundingClientRect = () => rect(top, top + 20);
  };

  it('runs the cell that is in view, while the field is empty', async () => {
    const stage = shown();
    put(80);
    await chord(field());
    expect(outcomes(stage)).toEqual(['run']);
  });

  it('runs nothing that has just come up', async () => {
    const stage = shown();
    act(() => stage.panel.answers.hush('run-1'));
    await chord(field());
    expect(outcomes(stage)).toEqual([]);
  });

  it.each([-10, 90])(
    'goes to the card, and runs nothing, while Run is out of view at %s',
    async top => {
      const stage = shown();
      put(top);
      await chord(field());
      expect(outcomes(stage)).toEqual([]);
      const card = screen.getByRole('alertdialog');
      expect(document.activeElement).toBe(card);
      expect(stage.panel.answers.isDeaf('run-1')).toBe(true);
    }
  );

  it('runs nothing over a draft, and says so until the draft is another one', async () => {
    const stage = shown();
    write('and then');
    await chord(field());
    expect(outcomes(stage)).toEqual([]);
    expect(stage.client.of('message.send')).toEqual([]);
    expect(field().value).toBe('and then');
    expect(screen.getByRole('alert').textContent).toMatch(/^Nothing was run/);
    write('and then plot');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('runs nothing by a key that is held down', async () => {
    const stage = shown();
    await doing(() =>
      fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true, repeat: true })
    );
    expect(outcomes(stage)).toEqual([]);
  });

  it('says nothing where no cell waits', async () => {
    const stage = staged(stream => stream.make('turn.ended'));
    write('and then');
    await chord(field());
    expect(stage.client.of('message.send')).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
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
