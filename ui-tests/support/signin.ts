import { request } from '@playwright/test';

import { type Home, setting } from './home';

/** Sign in with the token, as a person does, and keep the cookies for every page. */
export async function signIn(home: Home): Promise<void> {
  const client = await request.newContext({ baseURL: home.url });
  const answer = await client.get(`/lab?token=${setting('CAVE_LAB_UI_TOKEN')}`);
  if (!answer.ok()) {
    throw new Error(`Signing in was answered with ${answer.status()}`);
  }
  await client.storageState({ path: home.cookies });
  await client.dispose();
}
