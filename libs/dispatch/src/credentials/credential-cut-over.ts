import type { CertificateFacts } from '#libs/contracts';
import {
  activateCredentials,
  addCredentials,
  credentialVersions,
  DATABASE,
  dropCredentials,
  type AuditEntry,
  type CredentialChange,
  type CredentialVersion,
  type Database,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import {
  UndecryptableError,
  type CredentialCache,
  type Credentials,
  type CredentialValues,
  type Vault,
} from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS, VAULT } from '../doors.js';
import { Gatekeeper } from '../gate/gatekeeper.js';

/** The parts of a new version; what is absent is carried over from the one in force. */
export type CredentialParts = Partial<Pick<CredentialValues, 'signingSecret' | 'username' | 'password'>> & {
  /** Chain and key, and what is shown of the chain; null: none any more. */
  readonly clientCertificate?: {
    readonly pem: string;
    readonly certificates: readonly CertificateFacts[];
  } | null;
};

/**
 * Changes a consumer's credentials from one version to another, at an instant. No worker is told: **take** answers
 * the version that holds for each attempt.
 */
@Injectable()
export class CredentialCutOver {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly gatekeeper: Gatekeeper,
  ) {}

  /**
   * Adds a version, from `activateAt` on or now.
   * @throws UndecryptableError when a part is to be carried over and the version in force cannot be opened
   */
  async add(
    consumerId: string,
    parts: CredentialParts,
    given: {
      activateAt: Date | null;
      createdBy: string;
      audit: (inForce: number, added: CredentialVersion) => AuditEntry;
    },
  ): Promise<CredentialChange> {
    const change = await addCredentials(this.db, consumerId, {
      ...given,
      seal: async (version, inForce) => {
        const owner = { consumerId, version: inForce.version };
        const opened = await this.vault
          .open(owner, inForce.sealed)
          .catch(unlessComplete(parts, inForce.clientCertificates.length > 0));
        return {
          sealed: await this.vault.seal({ consumerId, version }, completed(parts, opened)),
          clientCertificates:
            parts.clientCertificate === undefined
              ? inForce.clientCertificates
              : (parts.clientCertificate?.certificates ?? []),
        };
      },
    });
    return this.holds(consumerId, change);
  }

  /** Goes (back) to a version now. @throws UndecryptableError rather than stopping the consumer's deliveries */
  async activate(
    consumerId: string,
    version: number,
    audit: (inForce: number) => AuditEntry,
  ): Promise<CredentialChange> {
    const known = (await credentialVersions(this.db, consumerId)).some((v) => v.version === version);
    if (known) await this.credentials.get(consumerId, version);
    return this.holds(consumerId, await activateCredentials(this.db, consumerId, version, audit));
  }

  /** Drops a coming version. */
  drop(consumerId: string, version: number, audit: AuditEntry): Promise<CredentialChange> {
    return dropCredentials(this.db, consumerId, version, audit);
  }

  /** Credentials that work end a hold for those that did not; of a coming version the reconciler does so in time. */
  private async holds(consumerId: string, change: CredentialChange): Promise<CredentialChange> {
    if (change.kind !== 'changed') return change;
    const { version, state, activateAt } = change.version;
    this.logger.info({ consumerId, credentialVersion: version, state, activateAt }, 'credentials changed');
    if (state === 'current' && (await this.gatekeeper.tryBrokenSecrets(consumerId)) > 0) {
      await this.gatekeeper.fillWindows([consumerId]);
    }
    return change;
  }
}

function completed(parts: CredentialParts, inForce: Credentials | null): CredentialValues {
  const signingSecret = parts.signingSecret ?? inForce?.signingSecret;
  const username = parts.username ?? inForce?.username;
  const password = parts.password ?? inForce?.password;
  if (signingSecret === undefined || username === undefined || password === undefined) {
    throw new Error('a part of the credentials is neither given nor in force');
  }
  const { clientCertificate } = parts;
  return {
    signingSecret,
    username,
    password,
    clientCertificate: clientCertificate === undefined ? inForce?.clientCertificate : clientCertificate?.pem,
  };
}

/** Whoever gives all parts needs nothing from a version that cannot be opened: so a lost key is mended. */
const unlessComplete =
  (parts: CredentialParts, hasClientCertificate: boolean) =>
  (error: unknown): null => {
    const isComplete =
      parts.signingSecret !== undefined &&
      parts.username !== undefined &&
      parts.password !== undefined &&
      (parts.clientCertificate !== undefined || !hasClientCertificate);
    if (error instanceof UndecryptableError && isComplete) return null;
    throw error;
  };
