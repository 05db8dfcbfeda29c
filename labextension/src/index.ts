import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, ReactWidget } from '@jupyterlab/apputils';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { createElement } from 'react';

import { caveIcon } from './icons';
import { CommandIDs, PANEL_ID, PLUGIN_ID } from './tokens';

/** The panel in the right sidebar, and the command that opens it. */
const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN_ID,
  description: 'A chat sidebar whose agent works in the live kernel.',
  autoStart: true,
  optional: [ICommandPalette, ILayoutRestorer, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null
  ): void => {
    const trans = (translator ?? nullTranslator).load('cave_lab');

    const panel = ReactWidget.create(
      createElement(
        'p',
        { className: 'jp-CaveLab-empty' },
        trans.__('Open a notebook to begin.')
      )
    );
    panel.id = PANEL_ID;
    panel.addClass('jp-CaveLab');
    panel.title.icon = caveIcon;
    panel.title.caption = trans.__('CaveLab');
    panel.node.setAttribute('role', 'region');
    panel.node.setAttribute('aria-label', trans.__('CaveLab'));

    app.shell.add(panel, 'right', { rank: 900, type: 'CaveLab' });
    restorer?.add(panel, PANEL_ID);

    app.commands.addCommand(CommandIDs.open, {
      label: trans.__('Open CaveLab'),
      caption: trans.__('Open the CaveLab panel and go to it'),
      icon: caveIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(PANEL_ID)
    });
    palette?.addItem({
      command: CommandIDs.open,
      category: trans.__('CaveLab')
    });
  }
};

export default plugin;
