import type { ISettingRegistry } from '@jupyterlab/settingregistry';

import { PLUGIN_ID } from './tokens';

/**
 * What the person set in the settings editor.
 */
export class Preferences {
  constructor(registry: ISettingRegistry | null) {
    void registry?.load(PLUGIN_ID).then(
      settings => {
        this._settings = settings;
      },
      (reason: unknown) => {
        console.warn('The settings of CaveLab could not be read.', reason);
      }
    );
  }

  /** Whether new cells are scrolled into view. */
  get followCells(): boolean {
    return this._settings?.composite.followCells !== false;
  }

  private _settings: ISettingRegistry.ISettings | null = null;
}
