import type { Credentials } from './credentials.js';
import type { Vault } from './vault.js';

const MAX_ENTRIES = 10_000;

export interface CredentialCacheOptions {
  readonly vault: Vault;
  /** Reads the sealed credentials of a version; undefined when there are none. */
  readonly load: (consumerId: string, version: number) => Promise<string | undefined>;
  /** Versions kept open; the least recently used goes first. 10,000 by default. */
  readonly maxEntries?: number;
}

export interface CredentialCache {
  /**
   * The credentials of a version. A version never changes, so neither does its entry: a cut-over shows
   * as another version number and needs no invalidation.
   *
   * @throws UndecryptableError, Error when there are none, or what `load` rejects with; none of them is remembered, so
   *   mending takes effect at once.
   */
  get(consumerId: string, version: number): Promise<Credentials>;
}

/** Opens each version once, however many attempts ask for it at the same time. */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const { vault, load, maxEntries = MAX_ENTRIES } = options;
  // A Map iterates in insertion order: re-inserting on use keeps the least recently used first.
  const entries = new Map<string, Promise<Credentials>>();

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
      entries.delete(key);
      const entry = known ?? open(consumerId, version);
      entries.set(key, entry);
      if (known !== undefined) return known;

      const [leastRecentlyUsed] = entries.keys();
      if (entries.size > maxEntries && leastRecentlyUsed !== undefined) entries.delete(leastRecentlyUsed);
      entry.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry;
    },
  };
}
