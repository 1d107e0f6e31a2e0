import { join } from 'node:path';

/** The variable that tells `SOURCE_ADDRESS_PRELOAD` the address. */
export const SOURCE_ADDRESS = 'CHAOS_SOURCE_ADDRESS';
/** A module that makes a process connect to consumers from its own address. It changes nothing else. */
export const SOURCE_ADDRESS_PRELOAD = join(import.meta.dirname, 'source-address.ts');

/**
 * The loopback address from which this worker connects, so that a consumer knows who sent a POST. Only Linux has all
 * addresses of 127.0.0.0/8 without a configuration; elsewhere it is undefined, and the senders are unknown.
 */
export const sourceAddressOf = (worker: number): string | undefined =>
  process.platform === 'linux' ? `127.0.1.${worker + 1}` : undefined;

/** The worker that connects from this address; null if unknown. */
export function workerAt(address: string | undefined): number | null {
  const last = /^127\.0\.1\.(\d+)$/.exec(address ?? '')?.[1];
  return last === undefined ? null : Number(last) - 1;
}
