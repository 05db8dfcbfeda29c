import { type JupyterLab } from '@jupyterlab/application';
import { CommandRegistry } from '@lumino/commands';
import type { Widget } from '@lumino/widgets';

import plugin from '../src/index';
import { CommandIDs, PANEL_ID, PLUGIN_ID } from '../src/tokens';

/** As much of an application as the plugin asks for, without a server behind it. */
function makeApp() {
  const added: { widget: Widget; area: string }[] = [];
  const activated: string[] = [];
  const app = {
    commands: new CommandRegistry(),
    shell: {
      add: (widget: Widget, area: string) => added.push({ widget, area }),
      activateById: (id: string) => activated.push(id)
    }
  };
  return { app: app as unknown as JupyterLab, added, activated };
}

describe('the CaveLab plugin', () => {
  it('puts its panel into the right sidebar', () => {
    const { app, added } = makeApp();
    void plugin.activate(app, null, null, null);
    expect(added.map(({ widget, area }) => [widget.id, area])).toEqual([
      [PANEL_ID, 'right']
    ]);
  });

  it('opens the panel by its command', async () => {
    const { app, activated } = makeApp();
    void plugin.activate(app, null, null, null);
    await app.commands.execute(CommandIDs.open);
    expect(activated).toEqual([PANEL_ID]);
  });

  it('has the id that its settings are filed under', () => {
    expect(plugin.id).toBe(PLUGIN_ID);
  });
});
