import path from 'node:path';

import { request } from '@playwright/test';

import { type FullConfig } from '@playwright/test';

/** Sign in once with the token, as a person does, so that every page has the cookie. */
export default async function signIn(config: FullConfig): Promise<void> {
  const baseURL = config.projects[0]?.use.baseURL;
  const { CAVE_LAB_UI_HOME: home, CAVE_LAB_UI_TOKEN: token } = process.env;
  if (!baseURL || !home || !token) {
    throw new Error('playwright.config.ts sets the address, home and token');
  }
  const client = await request.newContext({ baseURL });
  const answer = await client.get(`/lab?token=${token}`);
  if (!answer.ok()) {
    throw new Error(`Signing in was answered with ${answer.status()}`);
  }
  await client.storageState({ path: path.join(home, 'cookies.json') });
  await client.dispose();
}
