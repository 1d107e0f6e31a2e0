import type { CertificateFacts, CertificateUse } from '#libs/contracts';
import { LOGGER, faultText, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../connection/connection.js';

/** A certificate that a consumer's deliveries depend on. */
export interface CertificateInUse {
  readonly consumerId: string;
  readonly use: CertificateUse;
  readonly certificate: CertificateFacts;
  /** When the server's current certificate was first noted; null for registered certificates. */
  readonly seenAt: Date | null;
}

/** All certificates in use: of consumers and of the dispatcher. */
@Injectable()
export class CertificatesRepository {
  constructor(private readonly db: Database) {}

  /** The certificates of these consumers: client, authority, server; each chain in its order. */
  async of(consumerIds: readonly string[]): Promise<CertificateInUse[]> {
    const { rows } = await sql<CertificateInUse>`
      select consumer_id as "consumerId", use, certificate, seen_at as "seenAt" from certificates_in_use
      where consumer_id = any (${consumerIds}::uuid[])
      order by consumer_id, array_position(array['client', 'authority', 'server'], use), place`.execute(
      this.db,
    );
    return rows;
  }

  /** The certificates of all consumers that expire within `ms`, by PostgreSQL's clock, in the order of expiry. */
  async endingWithin(ms: number): Promise<CertificateInUse[]> {
    const { rows } = await sql<CertificateInUse>`
      select consumer_id as "consumerId", use, certificate, seen_at as "seenAt" from certificates_in_use
      where (certificate ->> 'notAfter')::timestamptz < now() + ${ms}::float8 * interval '1 millisecond'
      order by (certificate ->> 'notAfter')::timestamptz`.execute(this.db);
    return rows;
  }

  /** Stores the certificate that a consumer's server has presented; writes nothing if it is stored already. */
  async noteServer(consumerId: string, origin: string, certificate: CertificateFacts): Promise<void> {
    await sql`
      insert into server_certificates as known (consumer_id, origin, certificate)
      values (${consumerId}, ${origin}, ${JSON.stringify(certificate)}::jsonb)
      on conflict (consumer_id) do update
      set origin = excluded.origin, certificate = excluded.certificate, seen_at = excluded.seen_at
      where (known.origin, known.certificate) is distinct from (excluded.origin, excluded.certificate)`.execute(
      this.db,
    );
  }
}

/** Maximum number of remembered certificates, one a consumer. A forgotten one is only written once more. */
const MAX_REMEMBERED = 10_000;

/** Stores servers' certificates that are new to this process. It runs after an attempt and never delays it. */
@Injectable()
export class ServerCertificateStore {
  private readonly noted = new Map<string, string>();

  constructor(
    private readonly certificates: CertificatesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param exchange result of a POST to `url` */
  note(
    consumerId: string,
    url: string,
    { serverCertificate }: { readonly serverCertificate: CertificateFacts | null },
  ): void {
    if (serverCertificate === null) return;
    const { origin } = new URL(url);
    const key = `${origin} ${serverCertificate.fingerprint}`;
    if (this.noted.get(consumerId) === key) return;
    this.noted.set(consumerId, key);
    const [oldest] = this.noted.keys();
    if (this.noted.size > MAX_REMEMBERED && oldest !== undefined) this.noted.delete(oldest);
    this.certificates.noteServer(consumerId, origin, serverCertificate).catch((error: unknown) => {
      this.noted.delete(consumerId);
      this.logger.warn({ consumerId, fault: faultText(error) }, 'certificate.record_failed');
    });
  }
}
