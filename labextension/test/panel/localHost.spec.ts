import { isLocalHost } from '../../src/panel/localHost';

describe('a page comes from the machine in front of the person', () => {
  it.each(['localhost', 'LOCALHOST', 'lab.localhost', '127.0.0.1', '[::1]'])(
    'if its host is %s',
    host => expect(isLocalHost(host)).toBe(true)
  );

  it.each(['hub.example.org', '10.0.0.5', 'localhost.example.org', ''])(
    'which is not known if its host is %j',
    host => expect(isLocalHost(host)).toBe(false)
  );
});
