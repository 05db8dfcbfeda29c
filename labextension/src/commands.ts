import type { ICommandPalette } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';

import { modeWords, OFFERED_MODES } from './components/composer/mode';
import { caveIcon } from './icons';
import type { PanelModel } from './panel/model';
import type { Mode } from './protocol/generated';
import { waitingRuns } from './state/summary';
import { CommandIDs } from './tokens';

/** What the commands act on. */
export interface ICommandContext {
  readonly commands: CommandRegistry;
  readonly palette: ICommandPalette | null;
  readonly panel: PanelModel;
  readonly trans: TranslationBundle;
  /** Bring the panel to the front and put the focus into it. */
  readonly show: () => void;
}

const NO_ARGUMENTS = { args: { type: 'object', properties: {} } };

/**
 * Add CaveLab's commands, all of them in the palette.
 */
export function addCommands(context: ICommandContext): void {
  addPanelCommands(context);
  addTurnCommands(context);
  addModeCommand(context);
  const { palette, trans } = context;
  const category = trans.__('CaveLab');
  for (const command of Object.values(CommandIDs)) {
    if (command !== CommandIDs.setMode) {
      palette?.addItem({ command, category });
    }
  }
  for (const mode of OFFERED_MODES) {
    const args = { mode };
    palette?.addItem({ command: CommandIDs.setMode, category, args });
  }
}

function addPanelCommands(context: ICommandContext): void {
  const { commands, panel, trans, show } = context;
  commands.addCommand(CommandIDs.open, {
    label: trans.__('Open CaveLab'),
    caption: trans.__('Open the CaveLab panel and go to it'),
    icon: caveIcon,
    describedBy: NO_ARGUMENTS,
    execute: () => show()
  });
  commands.addCommand(CommandIDs.newThread, {
    label: trans.__('New thread'),
    caption: trans.__('Begin a new thread; the kernel stays as it is'),
    describedBy: NO_ARGUMENTS,
    execute: () => {
      panel.setView('thread');
      panel.shown.begin();
      show();
    }
  });
  commands.addCommand(CommandIDs.openSettings, {
    label: trans.__('Model settings'),
    caption: trans.__('Choose and test the model that CaveLab talks to'),
    describedBy: NO_ARGUMENTS,
    execute: () => {
      panel.setView('settings');
      show();
    }
  });
  commands.addCommand(CommandIDs.startTour, {
    label: trans.__('Take the guided tour'),
    caption: trans.__('Scripted, not an AI; in a notebook of its own'),
    describedBy: NO_ARGUMENTS,
    execute: async () => {
      show();
      await panel.startTour();
    }
  });
}

function addTurnCommands(context: ICommandContext): void {
  const { commands, panel, trans } = context;
  commands.addCommand(CommandIDs.stop, {
    label: trans.__('Stop the turn'),
    caption: trans.__("Stop CaveLab's model and its run; your own cells go on"),
    describedBy: NO_ARGUMENTS,
    isEnabled: () => panel.busy,
    execute: () => panel.sender.stop()
  });
  const proposed = () =>
    panel.state === null ? undefined : waitingRuns(panel.state)[0];
  commands.addCommand(CommandIDs.runProposed, {
    label: trans.__('Run the proposed cell'),
    caption: trans.__('Run the cell that waits for your answer, as shown'),
    describedBy: NO_ARGUMENTS,
    isEnabled: () => proposed() !== undefined && panel.mayApprove,
    execute: async () => {
      const run = proposed();
      if (run !== undefined && panel.thread !== null) {
        await panel.answers.run(panel.thread.threadId, run, 'once');
      }
    }
  });
  panel.changed.connect(() => {
    commands.notifyCommandChanged(CommandIDs.stop);
    commands.notifyCommandChanged(CommandIDs.runProposed);
  });
}

function addModeCommand(context: ICommandContext): void {
  const { commands, panel, trans } = context;
  const modeOf = (args: { readonly [key: string]: unknown }): Mode | null =>
    OFFERED_MODES.find(mode => mode === args.mode) ?? null;
  commands.addCommand(CommandIDs.setMode, {
    label: args => {
      const mode = modeOf(args);
      return mode === null
        ? trans.__('Set the mode')
        : trans.__('Mode: %1', modeWords(mode, trans));
    },
    caption: trans.__('Whether cells run, and whether you are asked'),
    describedBy: {
      args: {
        type: 'object',
        properties: {
          mode: {
            type: 'string',
            enum: [...OFFERED_MODES],
            description: trans.__('The mode of the thread')
          }
        },
        required: ['mode']
      }
    },
    isToggled: args => modeOf(args) === panel.mode,
    isEnabled: args => {
      const mode = modeOf(args);
      const allowed = panel.server.status?.allowed_modes;
      return mode !== null && (allowed?.includes(mode) ?? true);
    },
    execute: async args => {
      const mode = modeOf(args);
      if (mode !== null) {
        await panel.sender.attempt(() => panel.shown.set({ mode }));
      }
    }
  });
}
