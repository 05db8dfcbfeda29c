import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorServices } from '@jupyterlab/codeeditor';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStateDB } from '@jupyterlab/statedb';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

// eslint-disable-next-line jupyter/prefer-lazy-imports -- shortcuts need their commands at once
import { addCommands, captionTab } from './commands';
import { INotebookTracker } from './notebook/tracker';
import { Preferences } from './preferences';
import { PANEL_ID, PLUGIN_ID } from './tokens';
import { CaveLabPanel } from './widget';

/** The panel in the right sidebar, its commands, and its cells in the notebooks. */
const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN_ID,
  description: 'A chat sidebar whose agent works in the live kernel.',
  autoStart: true,
  requires: [
    IEditorServices,
    IRenderMimeRegistry,
    IDocumentManager,
    INotebookTracker
  ],
  optional: [
    ICommandPalette,
    ILayoutRestorer,
    ITranslator,
    IStateDB,
    ISettingRegistry
  ],
  activate: (
    app: JupyterFrontEnd,
    editors: IEditorServices,
    rendermime: IRenderMimeRegistry,
    docManager: IDocumentManager,
    tracker: INotebookTracker,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null,
    db: IStateDB | null,
    settings: ISettingRegistry | null
  ): void => {
    const trans = (translator ?? nullTranslator).load('cave_lab');
    const parts = {
      app,
      editors,
      rendermime,
      docManager,
      tracker,
      translator,
      trans,
      db,
      preferences: new Preferences(settings)
    };
    const panel = new CaveLabPanel(trans, async () => {
      const { assemble } = await import('./assemble');
      return assemble(parts);
    });
    app.shell.add(panel, 'right', { rank: 900, type: 'CaveLab' });
    restorer?.add(panel, PANEL_ID);
    captionTab(panel.title, app.commands, trans);
    addCommands({
      commands: app.commands,
      palette,
      panel,
      trans,
      // Asked before, JupyterLab would close it again when it restores its layout.
      show: () => void app.restored.then(() => app.shell.activateById(PANEL_ID))
    });
    // Cells of running turns come into their notebooks also while the panel is closed.
    void app.restored.then(() => panel.prepare());
  }
};

export default plugin;
