import { type JupyterLab } from '@jupyterlab/application';
import { CommandRegistry } from '@lumino/commands';
import { PromiseDelegate } from '@lumino/coreutils';
import { MessageLoop } from '@lumino/messaging';
import { CommandPalette, Widget } from '@lumino/widgets';

import schema from '../schema/plugin.json';
import plugin from '../src/index';
import { CommandIDs, PANEL_ID, PLUGIN_ID } from '../src/tokens';
import { CaveLabPanel } from '../src/widget';

/** As much of an application as the plugin asks for at once. */
function makeApp() {
  const added: { widget: Widget; area: string }[] = [];
  const activated: string[] = [];
  const restored = new PromiseDelegate<void>();
  const app = {
    commands: new CommandRegistry(),
    restored: restored.promise,
    shell: {
      add: (widget: Widget, area: string) => added.push({ widget, area }),
      activateById: (id: string) => activated.push(id)
    }
  };
  return { app: app as unknown as JupyterLab, restored, added, activated };
}

function activate(app: JupyterLab, palette: object | null = null): void {
  const nothing = [null, null, null, null];
  void plugin.activate(app, ...nothing, palette, ...nothing);
}

/** As the settings bind them. */
const KEYS = {
  command: CommandIDs.open,
  keys: schema['jupyter.lab.shortcuts'][0].keys,
  selector: 'body',
  args: {}
};
const KEYS_SHOWN = CommandRegistry.formatKeystroke(KEYS.keys);

/** What JupyterLab's palette shows for some letters, from the first hit on. */
function hits(
  app: JupyterLab,
  query: string,
  part = '.lm-CommandPalette-itemLabel'
): string[] {
  const palette = new CommandPalette({ commands: app.commands });
  activate(app, palette);
  palette.inputNode.value = query;
  Widget.attach(palette, document.body);
  MessageLoop.sendMessage(palette, Widget.Msg.UpdateRequest);
  const found = palette.node.querySelectorAll(part);
  const words = [...found].map(node => node.textContent ?? '');
  palette.dispose();
  return words;
}

describe('the CaveLab plugin', () => {
  it('puts its panel into the right sidebar before anything of it is loaded', () => {
    const { app, added } = makeApp();
    activate(app);
    expect(added.map(({ widget, area }) => [widget.id, area])).toEqual([
      [PANEL_ID, 'right']
    ]);
    expect(added[0].widget.node.childElementCount).toBe(0);
  });

  it('opens the panel, asked for early, once the layout is restored and not before', async () => {
    const { app, restored, activated } = makeApp();
    const panel = jest
      .spyOn(CaveLabPanel.prototype, 'prepare')
      .mockReturnValue(undefined);
    activate(app);
    await app.commands.execute(CommandIDs.open);
    expect(activated).toEqual([]);
    restored.resolve();
    await app.restored;
    expect(activated).toEqual([PANEL_ID]);
    panel.mockRestore();
  });

  it.each(Object.values(CommandIDs))(
    'describes itself and its arguments: %s',
    async command => {
      const { app } = makeApp();
      activate(app);
      expect(app.commands.label(command)).not.toBe('');
      expect(app.commands.caption(command)).not.toBe('');
      expect(await app.commands.describedBy(command)).toMatchObject({
        args: { type: 'object' }
      });
    }
  );

  it.each(Object.values(CommandIDs))(
    'says whose command it is: %s',
    command => {
      const { app } = makeApp();
      activate(app);
      expect(app.commands.label(command)).toContain('CaveLab');
    }
  );

  it('shows the keys of its commands in the palette', () => {
    const { app } = makeApp();
    app.commands.addKeyBinding(KEYS);
    const shown = hits(app, 'CaveLab:', '.lm-CommandPalette-itemShortcut');
    expect(shown[0]).toBe(KEYS_SHOWN);
  });

  it('names the keys that open its panel on the tab, also when they are others', () => {
    const { app, added } = makeApp();
    activate(app);
    const { title } = added[0].widget;
    expect(title.caption).toBe('CaveLab');
    const binding = app.commands.addKeyBinding(KEYS);
    expect(title.caption).toBe(`CaveLab (${KEYS_SHOWN})`);
    binding.dispose();
    expect(title.caption).toBe('CaveLab');
  });

  it.each(['cavelab', 'cave', 'CaveLab:'])(
    'is opened, and not let loose, by the first hit of its name: %s',
    query => {
      const found = hits(makeApp().app, query);
      expect(found[0]).toBe('CaveLab: Open the panel');
      expect(found.at(-1)).toBe('CaveLab: Let cells run without asking (Auto)');
    }
  );

  it('has the id that its settings are filed under', () => {
    expect(plugin.id).toBe(PLUGIN_ID);
  });
});
