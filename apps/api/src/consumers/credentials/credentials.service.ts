import { instantOf, type FieldFault } from '#libs/contracts';
import {
  ConsumersRepository,
  credentialVersions,
  DATABASE,
  type Database,
  type CredentialChange,
  type CredentialVersion,
} from '#libs/database';
import { CredentialCutOver } from '#libs/dispatch';
import { checkPassword, checkUsername, generateSigningSecret, UndecryptableError } from '#libs/vault';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { certificateView } from '../certificates/certificate-view.js';
import { readClientCertificate } from '../certificates/read-certificates.js';
import type {
  AddCredentialsDto,
  CredentialListDto,
  CredentialsAddedDto,
  CredentialVersionDto,
} from './credentials.dto.js';

/** The versions of a consumer's credentials as operators see them. Values go in, and only a generated one comes out, once. */
@Injectable()
export class CredentialsService {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly consumers: ConsumersRepository,
    private readonly cutOver: CredentialCutOver,
  ) {}

  async add(id: string, body: AddCredentialsDto, actor: Actor): Promise<CredentialsAddedDto> {
    const faults = faultsOf(body);
    const activateAt = body.activateAt === undefined ? null : instantOf(body.activateAt);
    const client = readClientCertificate(body.clientCertificate, activateAt ?? new Date(), faults);
    if (faults.length > 0) throw new InvalidContentError(faults);
    const generated = body.generateSecret === true ? generateSigningSecret() : undefined;
    const parts = {
      ...(body.signingSecret === undefined ? {} : { signingSecret: body.signingSecret }),
      ...(generated === undefined ? {} : { signingSecret: generated }),
      ...(body.username === undefined ? {} : { username: body.username }),
      ...(body.password === undefined ? {} : { password: body.password }),
      ...(client === undefined ? {} : { clientCertificate: client }),
    };
    const change = await this.cutOver
      .add(id, parts, {
        activateAt,
        createdBy: actor.name,
        audit: (inForce, added) =>
          auditEntry(actor, {
            action: 'credentials.added',
            target: `consumer:${id}`,
            details: {
              credentialVersion: added.version,
              activateAt: added.activateAt.toISOString(),
              changed: Object.keys(parts),
              secretGenerated: generated !== undefined,
              ...(client === undefined
                ? {}
                : { clientCertificate: client?.certificates[0]?.fingerprint ?? null }),
            },
            // A coming version changes nothing yet.
            ...(added.state === 'current'
              ? { before: { credentialVersion: inForce }, after: { credentialVersion: added.version } }
              : {}),
          }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof UndecryptableError)) throw error;
        throw new ConflictException(
          `${error.message}. Nothing can be carried over from them: give a signing secret, username and password together, and the client certificate (or null) where there is one.`,
        );
      });
    const added = versionView(settled(change));
    return generated === undefined ? added : { ...added, signingSecret: generated };
  }

  async list(id: string): Promise<CredentialListDto> {
    const versions = await credentialVersions(this.db, id);
    if (versions.length === 0 && (await this.consumers.find(id)) === undefined) noConsumer();
    return { credentials: versions.map(versionView) };
  }

  async activate(
    id: string,
    version: number,
    reason: string | undefined,
    actor: Actor,
  ): Promise<CredentialVersionDto> {
    const change = await this.cutOver
      .activate(id, version, (inForce) =>
        auditEntry(actor, {
          action: 'credentials.activated',
          target: `consumer:${id}`,
          reason,
          before: { credentialVersion: inForce },
          after: { credentialVersion: version },
        }),
      )
      .catch((error: unknown) => {
        throw error instanceof UndecryptableError ? new ConflictException(`${error.message}.`) : error;
      });
    return versionView(settled(change));
  }

  async drop(id: string, version: number, actor: Actor): Promise<void> {
    const entry = auditEntry(actor, {
      action: 'credentials.dropped',
      target: `consumer:${id}`,
      details: { credentialVersion: version },
    });
    settled(await this.cutOver.drop(id, version, entry));
  }
}

function faultsOf(body: AddCredentialsDto): FieldFault[] {
  const faults: FieldFault[] = [];
  const username = body.username === undefined ? null : checkUsername(body.username);
  if (username !== null) faults.push({ field: 'username', message: username });
  const password = body.password === undefined ? null : checkPassword(body.password);
  if (password !== null) faults.push({ field: 'password', message: password });
  if (body.generateSecret === true && body.signingSecret !== undefined) {
    faults.push({ field: 'generateSecret', message: 'must not be true beside a signingSecret' });
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

/** The version that a change was about. @throws what the api answers when there was none */
function settled(change: CredentialChange): CredentialVersion {
  switch (change.kind) {
    case 'changed':
    case 'unchanged':
      return change.version;
    case 'no_consumer':
      return noConsumer();
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
          'To leave it, activate another.',
      );
  }
}

function noConsumer(): never {
  throw new NotFoundException('There is no such consumer.');
}

function versionView(row: CredentialVersion): CredentialVersionDto {
  return {
    version: row.version,
    state: row.state,
    activateAt: row.activateAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    clientCertificates: row.clientCertificates.map(certificateView),
  };
}
