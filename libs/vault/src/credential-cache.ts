import { LRUCache } from 'lru-cache';
import type { Credentials } from './credentials.js';
import type { Vault } from './vault.js';

const MAX_ENTRIES = 10_000;

export interface CredentialCacheOptions {
  readonly vault: Vault;
  /** Reads the sealed credentials of a version; undefined when there are none. */
  readonly load: (consumerId: string, version: number) => Promise<string | undefined>;
  /** Maximum number of decrypted versions in memory; 10,000 by default. */
  readonly maxEntries?: number;
}

export interface CredentialCache {
  /**
   * The credentials of a version. A version never changes, so neither does its entry: a cut-over appears
   * as another version number and needs no invalidation.
   *
   * @throws UndecryptableError; Error when the version has no credentials; the error of `load`. Failures are not
   *   cached, so a repair takes effect at once.
   */
  get(consumerId: string, version: number): Promise<Credentials>;
}

/** Creates a cache that decrypts each version once, even when many attempts request it at the same time. */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const { vault, load, maxEntries: max = MAX_ENTRIES } = options;
  const entries = new LRUCache<string, Promise<Credentials>>({ max });

  const open = async (consumerId: string, version: number): Promise<Credentials> => {
    const sealed = await load(consumerId, version);
    if (sealed === undefined)
      throw new Error(`consumer ${consumerId} has no credentials of version ${String(version)}`);
    return vault.open({ consumerId, version }, sealed);
  };

  return {
    get(consumerId, version) {
      const key = `${version}:${consumerId}`;
      const known = entries.get(key);
      if (known !== undefined) return known;
      const opened = open(consumerId, version);
      entries.set(key, opened);
      opened.catch(() => {
        if (entries.peek(key) === opened) entries.delete(key);
      });
      return opened;
    },
  };
}
