import { instantOf, type CertificateFacts, type FieldFault } from '#libs/contracts';
import {
  addCredentials,
  type AuditEntry,
  type CredentialVersion,
  type SealedCredentials,
  Database,
} from '#libs/database';
import {
  checkPassword,
  checkUsername,
  generateSigningSecret,
  UndecryptableError,
  type Credentials,
  type CredentialValues,
  type Vault,
} from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { readClientCertificate } from '../certificates/read-certificates.js';
import type { AddCredentialsDto } from './credentials.dto.js';
import { InvalidContentError } from '../../../http/invalid-input.js';
import { VAULT } from '../../../secrets/secrets.module.js';
import { CredentialsUnreadableError } from '../../../secrets/opened-credentials.js';
import { CredentialsChanged } from './credentials-changed.js';

/** The given parts of a new version; absent parts are carried over from the version in force. */
type Parts = Partial<Pick<CredentialValues, 'signingSecret' | 'username' | 'password'>> & {
  /** `pem`: chain and private key; `certificates`: the shown facts of the chain. Null: no client certificate. */
  readonly clientCertificate?: {
    readonly pem: string;
    readonly certificates: readonly CertificateFacts[];
  } | null;
};

/** An added version, and its signing secret if it was generated: it is shown only this once. */
export interface CredentialsAdded {
  readonly version: CredentialVersion;
  readonly signingSecret: string | undefined;
}

/**
 * Adds a version of a consumer's credentials, in force now or from a later instant on. Workers need no message: each
 * fetch reads which version is in force.
 */
@Injectable()
export class AddCredentials {
  constructor(
    private readonly db: Database,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly changed: CredentialsChanged,
  ) {}

  /**
   * @throws InvalidContentError, NotFoundException, or ConflictException when another version is coming or a part cannot be
   *   carried over
   */
  async execute(consumerId: string, body: AddCredentialsDto, actor: Actor): Promise<CredentialsAdded> {
    const faults = faultsOf(body, actor);
    const activateAt = body.activateAt === undefined ? null : instantOf(body.activateAt);
    const client = readClientCertificate(body.clientCertificate, activateAt ?? new Date(), faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
    const generated = body.generateSecret === true ? generateSigningSecret() : undefined;
    const parts: Parts = {
      ...(body.signingSecret === undefined ? {} : { signingSecret: body.signingSecret }),
      ...(generated === undefined ? {} : { signingSecret: generated }),
      ...(body.username === undefined ? {} : { username: body.username }),
      ...(body.password === undefined ? {} : { password: body.password }),
      ...(client === undefined ? {} : { clientCertificate: client }),
    };
    const change = await addCredentials(this.db, consumerId, {
      activateAt,
      createdBy: actor.name,
      seal: (version, inForce) => this.seal({ consumerId, version }, parts, inForce),
      audit: (inForce, added) =>
        entryOf(actor, { consumerId, reason: body.reason, inForce, added, parts, generated }),
    }).catch((error: unknown) => {
      if (!(error instanceof UndecryptableError)) throw error;
      throw new CredentialsUnreadableError(
        error,
        ' Nothing can be carried over from them: give a signing secret, username and password together, and the client certificate (or null) where there is one.',
      );
    });
    return { version: await this.changed.follow(consumerId, change), signingSecret: generated };
  }

  private async seal(
    { consumerId, version }: { readonly consumerId: string; readonly version: number },
    parts: Parts,
    inForce: SealedCredentials & { readonly version: number },
  ): Promise<SealedCredentials> {
    const opened = await this.vault
      .open({ consumerId, version: inForce.version }, inForce.sealed)
      .catch(unlessComplete(parts, inForce.clientCertificates.length > 0));
    return {
      sealed: await this.vault.seal({ consumerId, version }, completed(parts, opened)),
      clientCertificates:
        parts.clientCertificate === undefined
          ? inForce.clientCertificates
          : (parts.clientCertificate?.certificates ?? []),
    };
  }
}

interface Added {
  readonly consumerId: string;
  readonly reason: string | undefined;
  /** The version that was in force before the addition. */
  readonly inForce: number;
  readonly added: CredentialVersion;
  readonly parts: Parts;
  readonly generated: string | undefined;
}

const entryOf = (actor: Actor, { consumerId, reason, inForce, added, parts, generated }: Added): AuditEntry =>
  auditEntry(actor, {
    action: 'credentials.added',
    target: `consumer:${consumerId}`,
    reason,
    details: {
      credentialVersion: added.version,
      activateAt: added.activateAt.toISOString(),
      changed: Object.keys(parts),
      secretGenerated: generated !== undefined,
      ...(parts.clientCertificate === undefined
        ? {}
        : { clientCertificate: parts.clientCertificate?.certificates[0]?.fingerprint ?? null }),
    },
    // A coming version changes nothing yet.
    ...(added.state === 'current'
      ? { before: { credentialVersion: inForce }, after: { credentialVersion: added.version } }
      : {}),
  });

function faultsOf(body: AddCredentialsDto, { consumerId }: Actor): FieldFault[] {
  const faults: FieldFault[] = [];
  if (consumerId !== null && body.clientCertificate !== undefined)
    faults.push({ field: 'clientCertificate', message: 'must be absent: only the bank changes it' });
  const username = body.username === undefined ? null : checkUsername(body.username);
  if (username !== null) faults.push({ field: 'username', message: username });
  const password = body.password === undefined ? null : checkPassword(body.password);
  if (password !== null) faults.push({ field: 'password', message: password });
  if (body.generateSecret === true && body.signingSecret !== undefined) {
    faults.push({ field: 'generateSecret', message: 'must not be true together with a signingSecret' });
  }
  const parts = [body.signingSecret, body.username, body.password, body.clientCertificate];
  if (parts.every((part) => part === undefined) && body.generateSecret !== true) {
    faults.push({
      field: 'body',
      message:
        'must hold at least one of signingSecret, generateSecret, username, password, clientCertificate',
    });
  }
  return faults;
}

function completed(parts: Parts, inForce: Credentials | null): CredentialValues {
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

/** Ignores an undecryptable version in force if all parts are given: this is the recovery from a lost key. */
const unlessComplete =
  (parts: Parts, hasClientCertificate: boolean) =>
  (error: unknown): null => {
    const isComplete =
      parts.signingSecret !== undefined &&
      parts.username !== undefined &&
      parts.password !== undefined &&
      (parts.clientCertificate !== undefined || !hasClientCertificate);
    if (error instanceof UndecryptableError && isComplete) return null;
    throw error;
  };
