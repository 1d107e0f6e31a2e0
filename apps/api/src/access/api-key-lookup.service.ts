import { within } from '#libs/contracts';
import { timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '#libs/config';
import { ApiKeysRepository, DatabaseUnavailableError, MicroBatch, type LiveApiKey } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FIRST_KEY_NAME, hashApiKey } from './api-key.js';
import type { Caller } from './caller.js';

/** How long a looked-up key is cached. Every process refuses a revoked key after this time. */
const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 10_000;
/** Resolution of `last_used_at`. */
const USE_NOTED_EVERY_MS = 60_000;
/** Time limit of a look-up, since all later look-ups wait for it. */
const LOOK_UP_WITHIN_MS = 3_000;

/** The stored API keys that are valid. */
interface LiveKeys {
  /** Finds keys by their SHA-256. Unknown, expired and revoked keys are left out. */
  findLive(hashes: readonly Buffer[]): Promise<readonly LiveApiKey[]>;
  /** Records that keys were used now. */
  noteUse(ids: readonly string[]): Promise<void>;
}

/**
 * Finds the caller of an API key. Results are cached for 2 s, so that a key in use is not looked up for each request.
 * Concurrent look-ups share a statement, one at a time, so that unknown keys cannot overload PostgreSQL.
 */
@Injectable()
export class ApiKeyLookup {
  private readonly remembered = new LRUCache<string, Promise<Caller | null>>({
    max: MOST_REMEMBERED,
    ttl: REMEMBERED_MS,
  });
  private readonly adminHash: Buffer | null;
  private readonly lookUps = new MicroBatch((hashes: readonly Buffer[]) => this.read(hashes));

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'adminApiKey'>,
    @Inject(ApiKeysRepository) private readonly keys: LiveKeys,
  ) {
    this.adminHash = config.adminApiKey === null ? null : hashApiKey(config.adminApiKey);
  }

  /**
   * @param hash the key's SHA-256
   * @returns null for a key that is unknown, expired or revoked
   * @throws DatabaseUnavailableError when PostgreSQL does not answer in time
   */
  async callerOf(hash: Buffer): Promise<Caller | null> {
    if (this.adminHash !== null && timingSafeEqual(hash, this.adminHash))
      return { name: FIRST_KEY_NAME, roles: ['admin'], consumerId: null };
    const id = hash.toString('base64');
    const known = this.remembered.get(id);
    if (known !== undefined) return known;
    const caller = this.lookUps.add(hash);
    this.remembered.set(id, caller);
    // A failed look-up says nothing about the key, so the next request repeats it.
    caller.catch(() => this.remembered.peek(id) === caller && this.remembered.delete(id));
    return caller;
  }

  /** Whether the result for this key is cached, so that another look-up costs nothing. */
  remembers(hash: Buffer): boolean {
    return this.remembered.has(hash.toString('base64'));
  }

  private async read(hashes: readonly Buffer[]): Promise<(Caller | null)[]> {
    const rows = await within(LOOK_UP_WITHIN_MS, this.keys.findLive(hashes), () => {
      throw new DatabaseUnavailableError('the look-up of API keys was not answered in time');
    });
    this.noteUse(rows);
    const callers = new Map(
      rows.map((row): [string, Caller] => [
        row.key_hash.toString('base64'),
        {
          name: row.name,
          roles: row.roles,
          consumerId: row.consumer_id,
          ...(row.consumer_name === null ? {} : { consumerName: row.consumer_name }),
        },
      ]),
    );
    return hashes.map((hash) => callers.get(hash.toString('base64')) ?? null);
  }

  /** Records the use of keys in the background; no response depends on it. */
  private noteUse(rows: readonly LiveApiKey[]): void {
    const ids = rows
      .filter(({ last_used_at }) => Date.now() - (last_used_at?.getTime() ?? 0) > USE_NOTED_EVERY_MS)
      .map(({ id }) => id);
    if (ids.length > 0) void this.keys.noteUse(ids).catch(() => undefined);
  }
}
