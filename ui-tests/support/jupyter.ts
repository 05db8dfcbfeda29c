import { type INotebookContent } from '@jupyterlab/nbformat';

import { type Home, setting } from './home';

/** A session as Jupyter's API tells it. */
interface ISession {
  readonly id: string;
  readonly path: string;
  readonly kernel: {
    readonly id: string;
    readonly execution_state: string;
  };
}

/** Jupyter's own API, as another program uses it. */
export class JupyterApi {
  constructor(private readonly home: Home) {}

  async makeFolder(path: string): Promise<void> {
    await this.ask('PUT', `contents/${path}`, { type: 'directory' });
  }

  async write(path: string, content: INotebookContent): Promise<void> {
    const model = { type: 'notebook', format: 'json', content };
    await this.ask('PUT', `contents/${path}`, model);
  }

  /** The sessions of the notebooks in a folder. */
  async sessions(folder: string): Promise<readonly ISession[]> {
    const all = (await this.ask('GET', 'sessions')) as readonly ISession[];
    return all.filter(session => session.path.startsWith(`${folder}/`));
  }

  /** What a notebook's kernel does. */
  async kernelState(folder: string): Promise<string | undefined> {
    const sessions = await this.sessions(folder);
    return sessions.at(0)?.kernel.execution_state;
  }

  async restartKernel(id: string): Promise<void> {
    await this.ask('POST', `kernels/${id}/restart`, {});
  }

  /** End the kernels of the notebooks in a folder. */
  async shutDown(folder: string): Promise<void> {
    for (const session of await this.sessions(folder)) {
      await this.ask('DELETE', `sessions/${session.id}`);
    }
  }

  private async ask(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    route: string,
    body?: unknown
  ): Promise<unknown> {
    const answer = await fetch(`${this.home.url}/api/${route}`, {
      method,
      headers: { Authorization: `token ${setting('CAVE_LAB_UI_TOKEN')}` },
      body: body === undefined ? null : JSON.stringify(body)
    });
    if (!answer.ok) {
      throw new Error(`${method} ${route} was answered with ${answer.status}`);
    }
    return answer.status === 204 ? null : ((await answer.json()) as unknown);
  }
}
