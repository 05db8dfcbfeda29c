import { type ChildProcess } from 'node:child_process';

import { ROOT } from './home';
import { end, firstLine, startPython } from './process';

/** The usual ports of model servers, and what is shown of who listens there. */
const KINDS = [
  ['ollama', 11434, 'Ollama'],
  ['lm_studio', 1234, 'LM Studio'],
  ['llama_cpp', 8080, 'llama.cpp'],
  ['vllm', 8000, 'vLLM'],
  ['jan', 1337, 'Jan']
] as const;

/** A model server of a kind that is looked for, on the usual port of its kind. */
export class LocalServer {
  private constructor(
    private readonly process: ChildProcess,
    /** What it is called. */
    readonly name: string,
    /** Its base URL. */
    readonly address: string
  ) {}

  /**
   * Start one with these models on the first usual port that is free; those that are taken are
   * told. Null if all are taken.
   */
  static async start(
    models: readonly string[],
    taken: (port: number) => void
  ): Promise<LocalServer | null> {
    for (const [kind, port, name] of KINDS) {
      const process = startPython(
        [`${ROOT}/ui-tests/support/serve_models.py`, kind, `${port}`].concat(
          models
        ),
        { ...globalThis.process.env, PYTHONPATH: ROOT },
        ROOT,
        'ignore'
      );
      const url = await firstLine(process).catch(() => null);
      if (url !== null) {
        return new LocalServer(process, name, url);
      }
      taken(port);
    }
    return null;
  }

  async stop(): Promise<void> {
    await end(this.process);
  }
}
