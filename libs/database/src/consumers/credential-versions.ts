import type { CertificateFacts, CredentialState } from '#libs/contracts';
import { sql } from 'kysely';
import { recordAudit, type AuditEntry } from '../audit/audit.js';
import type { Database, Transaction, Queryable } from '../connection/connection.js';

/** A version of a consumer's credentials, without their values. */
export interface CredentialVersion {
  readonly version: number;
  readonly state: CredentialState;
  /** Instant from which it is, or will be, in force; of a former version, from which it last was. */
  readonly activateAt: Date;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  /** The chain of its client certificate; empty without one. */
  readonly clientCertificates: readonly CertificateFacts[];
}

/** Credentials as they are stored: encrypted, with the public part in clear. */
export interface SealedCredentials {
  readonly sealed: string;
  readonly clientCertificates: readonly CertificateFacts[];
}

/** Result of a change of the versions. */
export type CredentialChange =
  | { readonly kind: 'changed' | 'unchanged'; readonly version: CredentialVersion }
  | { readonly kind: 'no_consumer' | 'no_version' }
  /** `version` has a future instant already, and only one version may have one. */
  | { readonly kind: 'one_is_coming'; readonly version: CredentialVersion }
  /** `version` is or was in force, so it is part of the history. */
  | { readonly kind: 'not_coming'; readonly version: CredentialVersion }
  /** `version` has another client certificate than the version in force, and this was excluded. */
  | { readonly kind: 'other_certificate'; readonly version: CredentialVersion };

/** `sameCertificate`: a change that would add, replace or remove a client certificate is refused. */
interface CredentialBounds {
  readonly sameCertificate?: boolean;
}

/** A consumer's versions, the newest number first; empty when it is unknown or removed. */
export async function credentialVersions(db: Queryable, consumerId: string): Promise<CredentialVersion[]> {
  // The statement's time: by the transaction's start time, a version that it has just activated would be coming.
  const { rows } = await sql<CredentialVersion>`
    select v.version, v.activate_at as "activateAt", v.created_at as "createdAt", v.created_by as "createdBy",
           v.client_certificates as "clientCertificates",
           case when v.activate_at > statement_timestamp() then 'coming'
                when v.version = (
                  select f.version from consumer_credentials f
                  where f.consumer_id = v.consumer_id and f.activate_at <= statement_timestamp()
                  order by f.activate_at desc, f.version desc limit 1) then 'current'
                else 'former' end as state
    from consumer_credentials v join consumers c on c.id = v.consumer_id and c.deleted_at is null
    where v.consumer_id = ${consumerId}
    order by v.version desc`.execute(db);
  return rows;
}

/** A version to add. */
interface NewCredentials {
  /** Instant of the cut-over; null: now. */
  readonly activateAt: Date | null;
  readonly createdBy: string;
  /** Encrypts the values under the version's number; missing parts are carried over from the version in force. */
  readonly seal: (
    version: number,
    inForce: SealedCredentials & { readonly version: number },
  ) => Promise<SealedCredentials>;
  readonly audit: (inForce: number, added: CredentialVersion) => AuditEntry;
}

/** Adds a version. Deliveries that are fetched from its instant on are sent with it. */
export async function addCredentials(
  db: Database,
  consumerId: string,
  given: NewCredentials,
): Promise<CredentialChange> {
  return change(db, consumerId, async (trx, versions) => {
    const coming = versions.find(({ state }) => state === 'coming');
    if (coming !== undefined) return { kind: 'one_is_coming', version: coming };
    const inForce = await trx
      .selectFrom('consumer_credentials')
      .select(['version', 'sealed', 'client_certificates as clientCertificates'])
      .where('consumer_id', '=', consumerId)
      .where('version', '=', versions.find(({ state }) => state === 'current')?.version ?? 0)
      .executeTakeFirstOrThrow();
    const { last_credential_version: version } = await trx
      .updateTable('consumers')
      .set((eb) => ({ last_credential_version: eb('last_credential_version', '+', 1) }))
      .where('id', '=', consumerId)
      .returning('last_credential_version')
      .executeTakeFirstOrThrow();
    const { sealed, clientCertificates } = await given.seal(version, inForce);
    await sql`
      insert into consumer_credentials (consumer_id, version, sealed, activate_at, created_by, client_certificates)
      values (${consumerId}, ${version}, ${sealed}, greatest(${given.activateAt}::timestamptz, ${NEXT(consumerId)}),
              ${given.createdBy}, ${JSON.stringify(clientCertificates)}::jsonb)`.execute(trx);
    const added = await find(trx, consumerId, version);
    await recordAudit(trx, given.audit(inForce.version, added));
    return { kind: 'changed', version: added };
  });
}

/**
 * Puts a version in force now, also a former one. Its `activate_at` becomes this instant, later than all past ones.
 * The audit log shows when it was in force before, and each attempt keeps the version that it used.
 */
export async function activateCredentials(
  db: Database,
  consumerId: string,
  version: number,
  audit: (inForce: number) => AuditEntry,
  { sameCertificate = false }: CredentialBounds = {},
): Promise<CredentialChange> {
  return change(db, consumerId, async (trx, versions) => {
    const wanted = versions.find((known) => known.version === version);
    if (wanted === undefined) return { kind: 'no_version' };
    if (wanted.state === 'current') return { kind: 'unchanged', version: wanted };
    if (sameCertificate && hasOtherCertificate(wanted, versions))
      return { kind: 'other_certificate', version: wanted };
    await sql`
      update consumer_credentials set activate_at = ${NEXT(consumerId)}
      where consumer_id = ${consumerId} and version = ${version}`.execute(trx);
    await recordAudit(trx, audit(versions.find(({ state }) => state === 'current')?.version ?? 0));
    return { kind: 'changed', version: await find(trx, consumerId, version) };
  });
}

/** Deletes a coming version with its secret. Its number is not used again: a worker may have it in its cache. */
export async function dropCredentials(
  db: Database,
  consumerId: string,
  version: number,
  audit: AuditEntry,
  { sameCertificate = false }: CredentialBounds = {},
): Promise<CredentialChange> {
  return change(db, consumerId, async (trx, versions) => {
    const wanted = versions.find((known) => known.version === version);
    if (wanted === undefined) return { kind: 'no_version' };
    if (wanted.state !== 'coming') return { kind: 'not_coming', version: wanted };
    if (sameCertificate && hasOtherCertificate(wanted, versions))
      return { kind: 'other_certificate', version: wanted };
    await trx
      .deleteFrom('consumer_credentials')
      .where('consumer_id', '=', consumerId)
      .where('version', '=', version)
      .execute();
    await recordAudit(trx, audit);
    return { kind: 'changed', version: wanted };
  });
}

/** Whether a version differs from the version in force in its client certificate. */
function hasOtherCertificate(wanted: CredentialVersion, versions: readonly CredentialVersion[]): boolean {
  const fingerprintsOf = (version: CredentialVersion | undefined): string =>
    version?.clientCertificates.map(({ fingerprint }) => fingerprint).join() ?? '';
  return fingerprintsOf(wanted) !== fingerprintsOf(versions.find(({ state }) => state === 'current'));
}

async function change(
  db: Database,
  consumerId: string,
  work: (trx: Transaction, versions: readonly CredentialVersion[]) => Promise<CredentialChange>,
): Promise<CredentialChange> {
  return db.transaction().execute(async (trx) => {
    const consumer = await trx
      .selectFrom('consumers')
      .select('id')
      .where('id', '=', consumerId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (consumer === undefined) return { kind: 'no_consumer' };
    return work(trx, await credentialVersions(trx, consumerId));
  });
}

async function find(trx: Transaction, consumerId: string, version: number): Promise<CredentialVersion> {
  const found = (await credentialVersions(trx, consumerId)).find((known) => known.version === version);
  if (found === undefined) throw new Error('a version that was just written cannot be read');
  return found;
}

/** Now, but always later than the version in force until now: a clock that is set back must not undo a cut-over. */
const NEXT = (consumerId: string) => sql<Date>`greatest(clock_timestamp(), (
  select max(p.activate_at) + interval '1 microsecond' from consumer_credentials p
  where p.consumer_id = ${consumerId} and p.activate_at <= clock_timestamp()))`;
