import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below every system's range of outgoing ports (Linux starts at 32768). Inside it, a client that keeps trying to
 * reach a stopped server may be given that very port as its own, connect to itself and block the restart.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

const handedOut = new Set<number>();

/** A loopback port that nobody listens on and that this process has not handed out before. */
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
