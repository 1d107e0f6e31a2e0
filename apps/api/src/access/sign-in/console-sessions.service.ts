import { CONFIG, type Config } from '#libs/config';
import { ROLES, within } from '#libs/contracts';
import { isUnavailable } from '#libs/database';
import { createSignedTokens, readKeyring, type SignedTokens } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { hashApiKey } from '../api-key.js';
import type { Caller } from '../caller.js';
import { FailedAttempts } from '../failed-attempts.service.js';
import { ApiKeyLookup } from '../api-key-lookup.service.js';
import { PERSON_SESSION_SECONDS, SESSION_SECONDS } from './session-cookie.js';

/** Maximum duration of a look-up for routes that do not need PostgreSQL. A longer one counts as an outage. */
const LOOK_UP_WITHIN_MS = 1_000;

/** A caller who signed in by OpenID Connect. */
export type PersonCaller = Caller & Required<Pick<Caller, 'person'>>;

/**
 * The console's sessions: signed tokens, not stored. A token contains the hash of its API key, which is looked up for
 * every request, so a session ends with its key, in every process within 2 s (`ApiKeyLookup`). A person's session has
 * no key: it is valid for a shorter time, and only while the issuer that identified the person is configured.
 */
@Injectable()
export class ConsoleSessions {
  private readonly tokens: SignedTokens;
  private readonly personTokens: SignedTokens;
  private readonly issuer: string | null;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly apiKeyLookup: ApiKeyLookup,
    private readonly failures: FailedAttempts,
  ) {
    const keyring = readKeyring(config.keyring);
    const tokens = (lifetimeSeconds: number): SignedTokens =>
      createSignedTokens(keyring, { purpose: 'console-session/1', lifetimeSeconds });
    this.tokens = tokens(SESSION_SECONDS);
    this.personTokens = tokens(PERSON_SESSION_SECONDS);
    this.issuer = config.openId?.issuer ?? null;
  }

  /**
   * @param address the client's address
   * @returns the key's caller and a session token, or null for a key that is unknown, expired or revoked
   * @throws TooManyRequestsError for such a key from an address with too many failed sign-ins
   */
  async begin(apiKey: string, address: string): Promise<{ caller: Caller; token: string } | null> {
    const hash = hashApiKey(apiKey);
    const caller = await this.apiKeyLookup.callerOf(hash);
    if (caller === null) {
      await this.failures.signIn(address);
      return null;
    }
    return { caller, token: await this.tokens.sign({ ...caller, keyHash: hash.toString('base64url') }) };
  }

  /** @returns a session token for a person identified by the configured issuer */
  beginOf(person: PersonCaller): Promise<string> {
    return this.personTokens.sign({ ...person, issuer: this.issuer });
  }

  /**
   * @param withoutDatabase trust the token's signature when PostgreSQL is unreachable
   * @returns null if the token is expired or not valid, or its key is no longer valid
   */
  async callerOf(token: string, withoutDatabase: boolean): Promise<Caller | null> {
    const claims = await this.tokens.verify(token);
    const said = claims === null ? null : callerIn(claims);
    if (claims === null || said === null) return null;
    if (said.person !== undefined)
      return this.issuer !== null && claims['issuer'] === this.issuer ? said : null;
    if (typeof claims['keyHash'] !== 'string') return null;
    const asked = this.apiKeyLookup.callerOf(Buffer.from(claims['keyHash'], 'base64url'));
    if (!withoutDatabase) return asked;
    const answer = asked.catch((error: unknown) => {
      if (isUnavailable(error)) return said;
      throw error;
    });
    return within(LOOK_UP_WITHIN_MS, answer, () => said);
  }
}

function callerIn({
  name,
  person,
  roles,
  consumerId,
  consumerName,
}: Readonly<Record<string, unknown>>): Caller | null {
  if (typeof name !== 'string' || !Array.isArray(roles)) return null;
  return {
    name,
    ...(typeof person === 'string' ? { person } : {}),
    roles: ROLES.filter((role) => roles.includes(role)),
    consumerId: typeof consumerId === 'string' ? consumerId : null,
    ...(typeof consumerName === 'string' ? { consumerName } : {}),
  };
}
