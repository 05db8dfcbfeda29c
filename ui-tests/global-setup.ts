import { Home } from './support/home';
import { signIn } from './support/signin';

/** Sign in once, so that every page has the cookie. */
export default async function setUp(): Promise<void> {
  await signIn(Home.shared());
}
