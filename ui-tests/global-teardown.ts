import { rmSync } from 'node:fs';

/** Take away the folders of this run, unless they are wanted for a look. */
export default function cleanUp(): void {
  const { CAVE_LAB_UI_HOME: home, CAVE_LAB_UI_KEEP: keep } = process.env;
  if (home && !keep) {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
