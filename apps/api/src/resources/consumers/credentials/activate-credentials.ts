import {
  activateCredentials,
  credentialVersions,
  Database,
  type AuditEntry,
  type CredentialVersion,
} from '#libs/database';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import type { OptionalReasonDto } from '../../../http/reason.dto.js';
import { CREDENTIALS } from '../../../secrets/secrets.module.js';
import { openedCredentials } from '../../../secrets/opened-credentials.js';
import { CredentialsChanged } from './credentials-changed.js';

/** Activates a coming or former version of a consumer's credentials now. */
@Injectable()
export class ActivateCredentials {
  constructor(
    private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly changed: CredentialsChanged,
  ) {}

  /**
   * The consumer's own people activate only a version with the client certificate of the version in force.
   * @throws NotFoundException; ConflictException when the version cannot be decrypted and would stop the deliveries, or
   *   has another client certificate
   */
  async execute(
    consumerId: string,
    version: number,
    { reason }: OptionalReasonDto,
    actor: Actor,
  ): Promise<CredentialVersion> {
    await this.assertOpens(consumerId, version);
    const entryOf = (inForce: number): AuditEntry =>
      auditEntry(actor, {
        action: 'credentials.activated',
        target: `consumer:${consumerId}`,
        reason,
        before: { credentialVersion: inForce },
        after: { credentialVersion: version },
      });
    const change = await activateCredentials(this.db, consumerId, version, entryOf, {
      sameCertificate: actor.consumerId !== null,
    });
    return this.changed.follow(consumerId, change);
  }

  private async assertOpens(consumerId: string, version: number): Promise<void> {
    const versions = await credentialVersions(this.db, consumerId);
    if (!versions.some((known) => known.version === version)) return;
    await openedCredentials(this.credentials, consumerId, version);
  }
}
