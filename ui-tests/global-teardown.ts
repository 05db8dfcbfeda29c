import { Home } from './support/home';

/** Take away the folders of this run, unless they are wanted for a look. */
export default function cleanUp(): void {
  if (!process.env.CAVE_LAB_UI_KEEP) {
    Home.shared().remove();
  }
}
