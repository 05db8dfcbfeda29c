import { isDeepStrictEqual } from 'node:util';

import { type APIRequestContext, expect, request } from '@playwright/test';

import {
  type Budgets,
  type ModelName,
  type ModelSettings,
  type ServerStatus
} from '../../labextension/src/protocol/generated';
import { type Home, setting } from './home';

const UNDECIDED = {
  format: null,
  plain_fences_run: false,
  effort: null,
  window: null,
  sees: null
};

/** Where the scripted model is, as a base URL. */
export function scriptedAddress(): string {
  return `http://127.0.0.1:${setting('CAVE_LAB_UI_MODEL_PORT')}/v1`;
}

/** What is kept of a person: their model, what was learned of models, and their budgets. */
export class OwnSettings {
  private constructor(private readonly client: APIRequestContext) {}

  /** The settings of a person who has signed in, changed as their browser does it. */
  static async of(home: Home): Promise<OwnSettings> {
    const signedIn = { baseURL: home.url, storageState: home.cookies };
    const reader = await request.newContext(signedIn);
    const { cookies } = await reader.storageState();
    await reader.dispose();
    const xsrf = cookies.find(cookie => cookie.name === '_xsrf')?.value;
    if (xsrf === undefined) {
      throw new Error('The cookies of the browser hold no XSRF token.');
    }
    const extraHTTPHeaders = { Origin: home.url, 'X-XSRFToken': xsrf };
    return new OwnSettings(
      await request.newContext({ ...signedIn, extraHTTPHeaders })
    );
  }

  async status(): Promise<ServerStatus> {
    return this.ask('get', 'status');
  }

  /** Choose a model at the scripted model's address, or at another. */
  async choose(
    model: string,
    api_base: string = scriptedAddress()
  ): Promise<void> {
    const key_env = 'CAVE_LAB_UI_KEY';
    await this.put({ model, api_base, key_env, options: UNDECIDED });
  }

  /** Put everything back as it was, whatever a test did to it. */
  async restore(before: ServerStatus): Promise<void> {
    if (isDeepStrictEqual(kept(await this.status()), kept(before))) {
      return;
    }
    for (const memory of (await this.status()).memories) {
      await this.forget(memory);
      const { model, api_base } = memory;
      await this.put({ model, api_base, key_env: null, options: UNDECIDED });
    }
    if (before.model) {
      await this.put(before.model);
    }
    await this.saveBudgets(before.budgets);
    expect(kept(await this.status())).toEqual(kept(before));
  }

  async dispose(): Promise<void> {
    await this.client.dispose();
  }

  private async put(settings: ModelSettings): Promise<void> {
    await this.ask('put', 'settings', settings);
  }

  private async forget({ model, api_base }: ModelName): Promise<void> {
    await this.ask('post', 'models/forget', { model, api_base });
  }

  private async saveBudgets(budgets: Budgets): Promise<void> {
    await this.ask('put', 'budgets', budgets);
  }

  private async ask(
    method: 'get' | 'put' | 'post',
    route: string,
    data?: unknown
  ): Promise<ServerStatus> {
    const answer = await this.client[method](`/cave-lab/${route}`, { data });
    if (!answer.ok()) {
      const words = await answer.text();
      throw new Error(`${method} ${route}: ${answer.status()}: ${words}`);
    }
    return (await answer.json()) as ServerStatus;
  }
}

/** What a person's settings are, of all that the server says of itself. */
function kept({ model, memories, budgets }: ServerStatus): object {
  return { model, memories, budgets };
}
