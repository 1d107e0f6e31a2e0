import { timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '#libs/config';
import { ApiKeysRepository } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { FIRST_KEY_NAME, hashApiKey } from './api-key.js';
import type { Caller } from './caller.js';

/** A revoked key is refused by every process within this time. */
const KNOWN_FOR_MS = 2_000;
const MOST_KNOWN = 10_000;

/** The last answer about a key; it holds `until`. */
interface Known {
  readonly caller: Promise<Caller | null>;
  readonly until: number;
  isGood: boolean;
}

/** Tells whose a key is; a short memory keeps the key's look-up off the hot path. */
@Injectable()
export class KeyRing {
  private readonly known = new Map<string, Known>();
  private readonly adminHash: Buffer | null;

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
    const caller = this.read(hash);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const read: Known = { caller, until: Date.now() + KNOWN_FOR_MS, isGood: entry?.isGood ?? false };
    this.known.set(id, read);
    caller.then(
      (found) => (read.isGood = found !== null),
      // A failed look-up (PostgreSQL away) is no answer about the key.
      () => this.known.delete(id),
    );
    return caller;
  }

  /** Whether the key was good at its last look-up, or that was a moment ago: asking about it costs us nothing to speak of. */
  knows(hash: Buffer): boolean {
    const entry = this.known.get(hash.toString('base64'));
    return this.isAdmin(hash) || (entry !== undefined && (entry.isGood || entry.until > Date.now()));
  }

  private isAdmin(hash: Buffer): boolean {
    return this.adminHash !== null && timingSafeEqual(hash, this.adminHash);
  }

  private async read(hash: Buffer): Promise<Caller | null> {
    const row = await this.keys.findLive(hash);
    return row === undefined ? null : { name: row.name, roles: row.roles, consumerId: row.consumer_id };
  }
}
