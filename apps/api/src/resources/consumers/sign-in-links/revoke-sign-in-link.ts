import { SignInLinksRepository } from '#libs/database';
import { Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';

/** Revokes a sign-in link and the key of its session, which every process refuses within 2 s. */
@Injectable()
export class RevokeSignInLink {
  constructor(private readonly links: SignInLinksRepository) {}

  /** @throws NotFoundException */
  async execute(consumerId: string, linkId: string, actor: Actor): Promise<void> {
    const isKnown = await this.links.revoke(consumerId, linkId, ({ name, used_at }) =>
      auditEntry(actor, {
        action: 'sign-in-link.revoked',
        target: `consumer:${consumerId}`,
        details: { signInLinkId: linkId, name, usedAt: used_at?.toISOString() ?? null },
      }),
    );
    if (!isKnown) throw new NotFoundException('The consumer has no such link.');
  }
}
