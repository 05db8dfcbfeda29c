/** The plugin, which also names its settings (`labextension/schema/plugin.json`). */
export const PLUGIN_ID = 'cave-lab:plugin';

/** The DOM id of the panel, stable across reloads so that the layout is restored. */
export const PANEL_ID = 'cave-lab-panel';

/** The commands of CaveLab, as the palette, shortcuts and other extensions know them. */
export const CommandIDs = {
  open: 'cave-lab:open',
  newThread: 'cave-lab:new-thread',
  stop: 'cave-lab:stop',
  runProposed: 'cave-lab:run-proposed',
  setMode: 'cave-lab:set-mode',
  openSettings: 'cave-lab:open-settings',
  startTour: 'cave-lab:start-tour'
} as const;
