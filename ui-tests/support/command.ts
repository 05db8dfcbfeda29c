import { type Lab } from './lab';

/** Run a command of JupyterLab's, as from its menus. */
export async function command(lab: Lab, id: string, args = {}): Promise<void> {
  await lab.page.evaluate(
    async ([name, given]) => {
      await window.jupyterapp.commands.execute(name, given);
    },
    [id, args] as const
  );
}
