import type { ICommandPalette } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import { CommandRegistry } from '@lumino/commands';
import type { Title, Widget } from '@lumino/widgets';

import { caveIcon } from './icons';
import type { PanelModel } from './panel/model';
import { modeAct, OFFERED_MODES } from './panel/modes';
import type { Mode } from './protocol/generated';
import { CommandIDs } from './tokens';

/** The panel as the commands know it. */
export interface ILazyPanel {
  /** Its model, or null before it is loaded. */
  readonly model: PanelModel | null;
  /** Whether the person can see it. */
  readonly isVisible: boolean;
  loaded(): Promise<PanelModel>;
}

/** What the commands act on. */
export interface ICommandContext {
  readonly commands: CommandRegistry;
  readonly palette: ICommandPalette | null;
  readonly panel: ILazyPanel;
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
  addTourCommand(context);
  addTurnCommands(context);
  addModeCommand(context);
  const { palette, trans } = context;
  const category = trans.__('CaveLab');
  const items = [
    ...Object.values(CommandIDs)
      .filter(command => command !== CommandIDs.setMode)
      .map(command => ({ command })),
    ...OFFERED_MODES.map(mode => ({
      command: CommandIDs.setMode,
      args: { mode }
    }))
  ];
  // Enter after CaveLab's name takes the first: it opens the panel, and loosens nothing.
  items.forEach((item, rank) => palette?.addItem({ ...item, category, rank }));
}

/** Keep the panel's tab telling its name and the keys that open it. */
export function captionTab(
  title: Title<Widget>,
  commands: CommandRegistry,
  trans: TranslationBundle
): void {
  const caption = () => {
    const keys = commands.keyBindings
      .find(({ command }) => command === CommandIDs.open)
      ?.keys.map(key => CommandRegistry.formatKeystroke(key));
    title.caption = keys
      ? trans.__('CaveLab (%1)', keys.join(', '))
      : trans.__('CaveLab');
  };
  caption();
  commands.keyBindingChanged.connect(caption);
}

function addPanelCommands(context: ICommandContext): void {
  const { commands, panel, trans, show } = context;
  commands.addCommand(CommandIDs.open, {
    label: named(trans.__('Open the panel'), trans),
    caption: trans.__('Open the CaveLab panel and go to it'),
    icon: caveIcon,
    describedBy: NO_ARGUMENTS,
    execute: () => show()
  });
  commands.addCommand(CommandIDs.newThread, {
    label: named(trans.__('New thread'), trans),
    caption: trans.__('Begin a new thread; the kernel stays as it is'),
    describedBy: NO_ARGUMENTS,
    execute: async () => {
      const model = await panel.loaded();
      model.setView('thread');
      model.shown.begin();
      show();
    }
  });
  commands.addCommand(CommandIDs.openSettings, {
    label: named(trans.__('Model settings'), trans),
    caption: trans.__('Choose and test the model that CaveLab talks to'),
    describedBy: NO_ARGUMENTS,
    execute: async () => {
      const model = await panel.loaded();
      model.setView('settings');
      show();
    }
  });
}

function addTourCommand(context: ICommandContext): void {
  const { commands, panel, trans, show } = context;
  commands.addCommand(CommandIDs.startTour, {
    label: named(trans.__('Take the guided tour'), trans),
    caption: trans.__('Scripted, not an AI; in a notebook of its own'),
    describedBy: NO_ARGUMENTS,
    execute: async () => {
      show();
      const model = await panel.loaded();
      await model.startTour();
    }
  });
}

function addTurnCommands(context: ICommandContext): void {
  const { commands, panel, trans } = context;
  commands.addCommand(CommandIDs.stop, {
    label: named(trans.__('Stop the turn'), trans),
    caption: trans.__("Stop CaveLab's model and its run; your own cells go on"),
    describedBy: NO_ARGUMENTS,
    isEnabled: () => panel.model?.outlook.busy ?? false,
    execute: () => panel.model?.sender.stop()
  });
  commands.addCommand(CommandIDs.runProposed, {
    label: named(trans.__('Run the proposed cell'), trans),
    caption: trans.__('Run the cell that waits for your answer, as shown'),
    describedBy: NO_ARGUMENTS,
    isEnabled: () => showsProposed(panel),
    execute: () =>
      showsProposed(panel) ? panel.model?.runProposed() : undefined
  });
}

/** Code that can't be seen can't be approved. */
function showsProposed(panel: ILazyPanel): boolean {
  return panel.isVisible && (panel.model?.canRunProposed ?? false);
}

function addModeCommand(context: ICommandContext): void {
  const { commands, panel, trans } = context;
  commands.addCommand(CommandIDs.setMode, {
    label: args => {
      const mode = modeOf(args);
      const words =
        mode === null ? trans.__('Set the mode') : modeAct(mode, trans);
      return named(words, trans);
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
    isToggled: args => modeOf(args) === panel.model?.outlook.mode,
    isEnabled: args => panel.model?.outlook.offers(modeOf(args)) ?? false,
    execute: async args => {
      const mode = modeOf(args);
      const model = await panel.loaded();
      if (mode !== null && model.outlook.offers(mode)) {
        await model.sender.attempt(() => model.shown.set({ mode }));
      }
    }
  });
}

/** JupyterLab's palette hides categories while it searches, so labels say whose they are. */
function named(words: string, trans: TranslationBundle): string {
  return trans.__('CaveLab: %1', words);
}

function modeOf(args: { readonly [key: string]: unknown }): Mode | null {
  return OFFERED_MODES.find(mode => mode === args.mode) ?? null;
}
