import { timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { ApiKeysRepository, DatabaseUnavailableError, MicroBatch, type ApiKeyRow } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { FIRST_KEY_NAME, hashApiKey } from './api-key.js';
import type { Caller } from './caller.js';

/** A revoked key is refused by every process within this time. */
const KNOWN_FOR_MS = 2_000;
/** How exact `last_used_at` is. */
const NOTED_EVERY_MS = 60_000;
const MOST_KNOWN = 10_000;
/** A look-up that takes longer fails, since all that came after it wait for it. */
const LOOK_UP_WITHIN_MS = 3_000;

/** The last answer about a key; it is used `until`. */
interface Known {
  readonly caller: Promise<Caller | null>;
  readonly until: number;
}

/**
 * Finds the holder of a key. Answers are kept for 2 s, so that a key in use is not looked up at each request. Keys that
 * have to be looked up share statements, one at a time: requests with unknown keys cannot occupy PostgreSQL.
 */
@Injectable()
export class ApiKeyLookup {
  private readonly known = new Map<string, Known>();
  private readonly adminHash: Buffer | null;
  private readonly lookUps = new MicroBatch((hashes: readonly Buffer[]) => this.read(hashes));

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly keys: ApiKeysRepository,
  ) {
    this.adminHash = config.adminApiKey === null ? null : hashApiKey(config.adminApiKey);
  }

  /**
   * @param hash the key's SHA-256
   * @returns null for a key that is unknown, expired or revoked
   */
  async callerOf(hash: Buffer): Promise<Caller | null> {
    if (this.isAdmin(hash)) {
      return { name: FIRST_KEY_NAME, roles: ['admin'], consumerId: null };
    }
    const id = hash.toString('base64');
    const entry = this.known.get(id);
    if (entry !== undefined && entry.until > Date.now()) return entry.caller;
    const caller = this.lookUps.add(hash);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(id, { caller, until: Date.now() + KNOWN_FOR_MS });
    // A failed look-up (PostgreSQL away) is no answer about the key.
    caller.catch(() => this.known.delete(id));
    return caller;
  }

  /** Whether the key was looked up a moment ago, so that asking again costs nothing. */
  remembers(hash: Buffer): boolean {
    return (this.known.get(hash.toString('base64'))?.until ?? 0) > Date.now();
  }

  private isAdmin(hash: Buffer): boolean {
    return this.adminHash !== null && timingSafeEqual(hash, this.adminHash);
  }

  private async read(hashes: readonly Buffer[]): Promise<(Caller | null)[]> {
    const late = delay(LOOK_UP_WITHIN_MS, null, { ref: false });
    const rows = await Promise.race([this.keys.findLive(hashes), late]);
    if (rows === null) throw new DatabaseUnavailableError('the look-up of API keys was not answered in time');
    this.noteUse(rows);
    const callers = new Map(
      rows.map((row): [string, Caller] => [
        row.key_hash.toString('base64'),
        { name: row.name, roles: row.roles, consumerId: row.consumer_id },
      ]),
    );
    return hashes.map((hash) => callers.get(hash.toString('base64')) ?? null);
  }

  /** Beside the answer, which does not depend on it. */
  private noteUse(rows: readonly ApiKeyRow[]): void {
    const ids = rows
      .filter(({ last_used_at }) => Date.now() - (last_used_at?.getTime() ?? 0) > NOTED_EVERY_MS)
      .map(({ id }) => id);
    if (ids.length > 0) void this.keys.noteUse(ids).catch(() => undefined);
  }
}
