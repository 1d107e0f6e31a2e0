import { timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '#libs/config';
import { ApiKeysRepository } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { FIRST_KEY_NAME, hashApiKey } from './api-key.js';
import type { Caller } from './caller.js';

/** A revoked key is refused by every process within this time. */
const KNOWN_FOR_MS = 2_000;
const MOST_KNOWN = 10_000;

/** Tells whose a key is; a short memory keeps the key's look-up off the hot path. */
@Injectable()
export class KeyRing {
  private readonly known = new Map<string, { caller: Promise<Caller | null>; until: number }>();
  private readonly adminHash: Buffer | null;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly keys: ApiKeysRepository,
  ) {
    this.adminHash = config.adminApiKey === null ? null : hashApiKey(config.adminApiKey);
  }

  /** @returns null for a key that is unknown, expired or revoked */
  callerOf(key: string): Promise<Caller | null> {
    return this.callerOfHash(hashApiKey(key));
  }

  /** The same by the key's SHA-256, which is what a session knows of it. */
  async callerOfHash(hash: Buffer): Promise<Caller | null> {
    if (this.adminHash !== null && timingSafeEqual(hash, this.adminHash)) {
      return { name: FIRST_KEY_NAME, roles: ['admin'], consumerId: null };
    }
    const id = hash.toString('base64');
    const entry = this.known.get(id);
    if (entry !== undefined && entry.until > Date.now()) return entry.caller;
    const caller = this.read(hash);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(id, { caller, until: Date.now() + KNOWN_FOR_MS });
    // A failed look-up (PostgreSQL away) is no answer about the key.
    caller.catch(() => this.known.delete(id));
    return caller;
  }

  private async read(hash: Buffer): Promise<Caller | null> {
    const row = await this.keys.findLive(hash);
    return row === undefined ? null : { name: row.name, roles: row.roles, consumerId: row.consumer_id };
  }
}
