import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of every system (Linux starts at 32768): a client that reconnects to a stopped server could
 * get the server's port as its own, connect to itself and block the restart.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

const handedOut = new Set<number>();

/** A free loopback port that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
