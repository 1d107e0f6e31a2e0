import { dropCredentials, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { versionOf } from './credentials-changed.js';

/** Drops a coming version of a consumer's credentials. */
@Injectable()
export class DropCredentials {
  constructor(private readonly db: Database) {}

  /**
   * The consumer's own people drop only a version with the client certificate of the version in force.
   * @throws NotFoundException; ConflictException when the version is or was in force, or has another client certificate
   */
  async execute(consumerId: string, version: number, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, {
      action: 'credentials.dropped',
      target: `consumer:${consumerId}`,
      details: { credentialVersion: version },
    });
    const sameCertificate = actor.consumerId !== null;
    versionOf(await dropCredentials(this.db, consumerId, version, entry, { sameCertificate }));
  }
}
