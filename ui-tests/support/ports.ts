import { execFileSync } from 'node:child_process';

const ASK = `
const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
  process.stdout.write(String(server.address().port));
  server.close();
});`;

/** A port that nobody listens on now. */
export function freePort(): number {
  return Number(
    execFileSync(process.execPath, ['-e', ASK], { encoding: 'utf8' })
  );
}
