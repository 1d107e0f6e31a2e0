import { SignInLinksRepository } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { hashApiKey, newApiKey } from '../../api-key.js';
import { auditEntry } from '../../audit-entry.js';
import type { Caller } from '../../caller.js';
import { FailedAttempts } from '../../failed-attempts.service.js';
import { ConsoleSessions } from '../console-sessions.service.js';
import { SESSION_SECONDS } from '../session-cookie.js';

/**
 * Begins the session of a sign-in link. The session has an API key of its own, which nobody sees: so it ends by expiry,
 * by revocation and with its consumer like every session of a key (`ConsoleSessions`).
 */
@Injectable()
export class LinkSignIn {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly sessions: ConsoleSessions,
    private readonly failures: FailedAttempts,
  ) {}

  /**
   * Uses the link; of simultaneous uses exactly one succeeds.
   * @param address the client's address
   * @returns null for a link that is unknown, used, expired or revoked
   * @throws TooManyRequestsError for such a link from an address with too many failed sign-ins
   */
  async begin(token: string, address: string): Promise<{ caller: Caller; token: string } | null> {
    const key = newApiKey();
    const id = uuidv7();
    const isUsed = await this.links.use(
      hashApiKey(token),
      { id, keyHash: hashApiKey(key), lifetimeSeconds: SESSION_SECONDS },
      ({ id: signInLinkId, name, consumer_id: consumerId }) =>
        auditEntry(
          { name, roles: ['consumer'], consumerId, address },
          {
            action: 'sign-in-link.used',
            target: `consumer:${consumerId}`,
            details: { signInLinkId, apiKeyId: id },
          },
        ),
    );
    if (isUsed) return this.sessions.begin(key, address);
    await this.failures.signIn(address);
    return null;
  }
}
