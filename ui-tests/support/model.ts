import { type ChildProcess } from 'node:child_process';

import { setting } from './home';
import { end, firstLine, startPython } from './process';
import { type IScriptedTurn } from './script';

/** A step in the story of an answer. */
interface IHappening {
  readonly what: 'begun' | 'gate' | 'released' | 'ended' | 'hung_up';
  readonly gate: string | null;
}

/** A request that the model got. */
export interface IModelRequest {
  readonly number: number;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { role: string; content: unknown }[];
    /** Absent where the model is asked for fenced blocks. */
    readonly tools?: readonly unknown[];
  };
  readonly turn: string | null;
  readonly mismatch: string | null;
  readonly happenings: readonly IHappening[];
}

/** The scripted model: `tests/fakes/model_server.py` in a process of its own. */
export class ScriptedModel {
  private constructor(
    private readonly process: ChildProcess,
    private readonly root: string
  ) {}

  static async start(): Promise<ScriptedModel> {
    const port = setting('CAVE_LAB_UI_MODEL_PORT');
    const args = ['-m', 'tests.fakes.model_server', '--port', port];
    const process = startPython(args, globalThis.process.env);
    const url = await firstLine(process);
    return new ScriptedModel(process, url.replace(/\/v1$/, ''));
  }

  /** Play these answers from now on; what was asked before is forgotten. */
  async play(...turns: readonly IScriptedTurn[]): Promise<void> {
    this.seen = (await this.all()).length;
    await this.post('__script__', { name: 'test', turns });
  }

  /** Let one answer through a gate. */
  async release(gate: string): Promise<void> {
    await this.post('__release__', { gate });
  }

  /** The requests since the script was loaded. */
  async requests(): Promise<readonly IModelRequest[]> {
    return (await this.all()).slice(this.seen);
  }

  /** What has happened to the latest answer. */
  async story(): Promise<readonly string[]> {
    const last = (await this.requests()).at(-1);
    return last?.happenings.map(happening => happening.what) ?? [];
  }

  /** Why requests found no answer in the script. */
  async mismatches(): Promise<readonly string[]> {
    const requests = await this.requests();
    return requests.flatMap(request => request.mismatch ?? []);
  }

  async stop(): Promise<void> {
    await end(this.process);
  }

  private async all(): Promise<readonly IModelRequest[]> {
    const answer = await fetch(`${this.root}/__requests__`);
    return (await answer.json()) as IModelRequest[];
  }

  private async post(route: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.root}/${route}`, {
      method: 'POST',
      body: JSON.stringify(body)
    });
    if (!answer.ok) {
      throw new Error(`The scripted model refused ${route}.`);
    }
  }

  private seen = 0;
}
