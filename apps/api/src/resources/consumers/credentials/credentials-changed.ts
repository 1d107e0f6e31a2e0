import {
  clearSecretFaults,
  reportTransitions,
  type CredentialChange,
  type CredentialVersion,
  Database,
} from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import type { CredentialCache } from '#libs/vault';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CREDENTIALS } from '../../../secrets/secrets.module.js';

/** Follow-up actions after a change of a consumer's credentials. */
@Injectable()
export class CredentialsChanged {
  constructor(
    private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * Logs the change. If the version is in force and can be decrypted, deliveries held by undecryptable credentials
   * continue. For a coming version, reconcile does this after the cut-over.
   * @returns the version concerned @throws NotFoundException or ConflictException when the change was refused
   */
  async follow(consumerId: string, change: CredentialChange): Promise<CredentialVersion> {
    const version = versionOf(change);
    if (change.kind !== 'changed') return version;
    const { version: credentialVersion, state, activateAt } = version;
    this.logger.info({ consumerId, credentialVersion, state, activateAt }, 'credentials.changed');
    if (state !== 'current') return version;
    const repaired = await clearSecretFaults(
      this.db,
      (id, number) => this.credentials.get(id, number),
      consumerId,
    );
    reportTransitions({ logger: this.logger, metrics: this.metrics }, repaired);
    if (repaired.length > 0) this.queue.enqueue([consumerId]);
    return version;
  }
}

/** Returns the version concerned. @throws NotFoundException or ConflictException when the change was refused */
export function versionOf(change: CredentialChange): CredentialVersion {
  switch (change.kind) {
    case 'changed':
    case 'unchanged':
      return change.version;
    case 'no_consumer':
      throw new NotFoundException('There is no such consumer.');
    case 'no_version':
      throw new NotFoundException('There is no such version of its credentials.');
    case 'one_is_coming':
      throw new ConflictException(
        `Version ${String(change.version.version)} is coming already, at ${change.version.activateAt.toISOString()}. ` +
          'Activate it now, or drop it, before you add another.',
      );
    case 'not_coming':
      throw new ConflictException(
        `Version ${String(change.version.version)} is ${change.version.state}: only a coming version can be dropped. ` +
          'To replace it, activate another version.',
      );
    case 'other_certificate':
      throw new ConflictException(
        `Version ${String(change.version.version)} has another client certificate than the version in force, and certificates are the bank’s. Contact the bank.`,
      );
  }
}
