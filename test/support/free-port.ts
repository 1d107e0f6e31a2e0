import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of every system (Linux starts at 32768): a client that reconnects to a stopped server could
 * get the server's port as its own, connect to itself and block the restart.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/** More than test processes of a run (maxWorkers in test/vitest.config.ts). */
const SHARES = 8;
/**
 * Each test process of a run has its own ports: a port that is free now is taken only when a started process listens, and
 * until then another test process could choose it, and then ask that process instead of its own.
 */
const share = Number(process.env['VITEST_POOL_ID'] ?? 0) % SHARES;

const handedOut = new Set<number>();

/** A free loopback port that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + randomInt((HIGHEST - LOWEST) / SHARES) * SHARES + share;
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
