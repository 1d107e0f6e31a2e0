import { randomBytes } from 'node:crypto';
import { CONFIG, type Config } from '#libs/config';
import { instantOf } from '#libs/contracts';
import { SignInLinksRepository, type SignInLinkRow } from '#libs/database';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { hashApiKey } from '../../../access/api-key.js';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import type { CreateSignInLinkDto } from './sign-in-link.dto.js';
import { found } from '../../../http/found.js';

/** Commands on sign-in links. */
@Injectable()
export class SignInLinkCommands {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly links: SignInLinksRepository,
  ) {}

  /**
   * Creates a one-time link with which a consumer's person signs in to the portal.
   * @returns the link's row, and the link itself, which is not stored @throws NotFoundException
   */
  async create(
    consumerId: string,
    { name, expiresAt }: CreateSignInLinkDto,
    actor: Actor,
  ): Promise<{ readonly row: SignInLinkRow; readonly url: string }> {
    const id = uuidv7();
    // 256 random bits, after a prefix by which scanners can detect leaked links.
    const token = `pnl_${randomBytes(32).toString('base64url')}`;
    const row = found(
      await this.links.insert(
        {
          id,
          consumerId,
          name,
          tokenHash: hashApiKey(token),
          createdBy: actor.name,
          expiresAt: expiresAt === undefined ? null : instantOf(expiresAt),
        },
        ({ expires_at }) =>
          auditEntry(actor, {
            action: 'sign-in-link.created',
            target: `consumer:${consumerId}`,
            details: { signInLinkId: id, name, expiresAt: expires_at.toISOString() },
          }),
      ),
      'consumer',
    );
    return { row, url: `${this.config.publicUrl ?? ''}/sign-in#link=${token}` };
  }

  /**
   * Revokes a sign-in link and the key of its session, which every process refuses within 2 s.
   * @throws NotFoundException
   */
  async revoke(consumerId: string, linkId: string, actor: Actor): Promise<void> {
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
