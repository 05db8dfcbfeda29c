import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The folder that `cave_lab/` and `tests/` are in, from which Python finds them. */
export const ROOT = path.resolve(__dirname, '..', '..');

const env = process.env;

/** A setting of the run, made by `playwright.config.ts`. */
export function setting(name: string): string {
  const value = env[name];
  if (!value) {
    throw new Error(`${name} is set by playwright.config.ts`);
  }
  return value;
}

/** The Python that runs the servers and the helpers. */
export function python(): string {
  return env.CAVE_LAB_UI_PYTHON ?? 'python';
}

/** The browser named by the environment, else Debian's; none means Playwright's own. */
export function browserPath(): string | undefined {
  if (env.CAVE_LAB_CHROMIUM) {
    return env.CAVE_LAB_CHROMIUM;
  }
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined;
}

/** Where a server of the tests keeps its things, and where it listens. */
export class Home {
  constructor(
    readonly path: string,
    readonly port: number,
    /** The home whose notebooks and journal are used instead of its own. */
    private readonly beside: Home | null = null
  ) {}

  /** The server that all tests share. */
  static shared(): Home {
    return new Home(
      setting('CAVE_LAB_UI_HOME'),
      Number(setting('CAVE_LAB_UI_PORT'))
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The folder of the notebooks. */
  get root(): string {
    return this.beside?.root ?? this.folder('root');
  }

  /** The folder of CaveLab's journal. */
  get journal(): string {
    return this.beside?.journal ?? this.folder('journal');
  }

  /** The cookies of a browser that has signed in. */
  get cookies(): string {
    return path.join(this.path, 'cookies.json');
  }

  /** The environment of the server. */
  get env(): Record<string, string> {
    return {
      ...(env as Record<string, string>),
      CAVE_LAB_UI_JOURNAL: this.journal,
      CAVE_LAB_UI_PORT: String(this.port),
      IPYTHONDIR: this.folder('ipython'),
      JUPYTERLAB_GALATA_ROOT_DIR: this.root,
      JUPYTER_CONFIG_DIR: this.folder('config'),
      JUPYTER_DATA_DIR: this.folder('data'),
      JUPYTER_RUNTIME_DIR: this.folder('runtime')
    };
  }

  /** A folder of its own, made if it is not there. */
  folder(name: string): string {
    const made = path.join(this.path, name);
    mkdirSync(made, { recursive: true });
    return made;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
