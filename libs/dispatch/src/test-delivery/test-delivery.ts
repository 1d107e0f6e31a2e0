import type { EventType } from '#libs/contracts';
import {
  ConsumersRepository,
  credentialVersions,
  DATABASE,
  recordAudit,
  type AuditEntry,
  type Database,
} from '#libs/database';
import { adviceFor } from '#libs/delivery';
import type { Egress, Exchange } from '#libs/egress';
import { LOGGER, type Logger } from '#libs/observability';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { keepableExchange } from '../attempt/keepable-exchange.js';
import { signedHeaders } from '../attempt/signed-headers.js';
import { ServerCertificates } from '../certificates/server-certificates.js';
import { CREDENTIALS, EGRESS } from '../doors.js';
import { sampleEnvelope } from './sample-change.js';

/** Whoever tests by hand needs no more; whoever wants load finds none here. */
const MOST_AT_ONCE = 4;

export interface TestRequest {
  readonly consumerId: string;
  /** Undefined: the first that the consumer takes. */
  readonly eventType: EventType | undefined;
  readonly credentials: 'current' | 'next';
  /** Written before anything is sent: nothing goes out that nobody answers for. */
  readonly audit: (of: {
    notificationId: string;
    eventType: EventType;
    credentialVersion: number;
  }) => AuditEntry;
}

/** What a test delivery came to. */
export type Tested =
  | {
      readonly kind: 'sent';
      readonly notificationId: string;
      readonly eventType: EventType;
      readonly credentialVersion: number;
      readonly url: string;
      readonly body: string;
      /** Without our secrets, also where the consumer repeats them. */
      readonly exchange: Exchange;
      readonly advice: string;
    }
  | { readonly kind: 'no_consumer' | 'none_coming' | 'too_many' };

/**
 * Sends a marked sample to a consumer now, signed and guarded like every attempt, and says what came back. It is no
 * delivery: no row, no retry, no say in the consumer's health, and neither a pause nor an open circuit stops it.
 */
@Injectable()
export class TestDelivery {
  private underWay = 0;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly consumers: ConsumersRepository,
    private readonly serverCertificates: ServerCertificates,
  ) {}

  /** @throws UndecryptableError; LocalFaultError when this process cannot send */
  async send(request: TestRequest): Promise<Tested> {
    if (this.underWay >= MOST_AT_ONCE) return { kind: 'too_many' };
    this.underWay += 1;
    try {
      return await this.sendNow(request);
    } finally {
      this.underWay -= 1;
    }
  }

  private async sendNow({ consumerId, credentials: which, ...request }: TestRequest): Promise<Tested> {
    const consumer = await this.consumers.find(consumerId);
    if (consumer === undefined) return { kind: 'no_consumer' };
    const wanted = which === 'next' ? 'coming' : 'current';
    const credentialVersion = (await credentialVersions(this.db, consumerId)).find(
      ({ state }) => state === wanted,
    )?.version;
    if (credentialVersion === undefined) return { kind: 'none_coming' };
    const credentials = await this.credentials.get(consumerId, credentialVersion);

    const eventType = request.eventType ?? consumer.event_types[0] ?? 'ach.status';
    const { notificationId, body } = sampleEnvelope(eventType, new Date());
    const { url } = consumer;
    await recordAudit(this.db, request.audit({ notificationId, eventType, credentialVersion }));
    const exchange = await this.egress.post({
      url,
      body,
      timeoutMs: consumer.timeout_ms,
      tls: {
        caCertificate: consumer.ca_certificate ?? undefined,
        clientCertificate: credentials.clientCertificate,
      },
      buildHeaders: (sentAtMs) =>
        signedHeaders({ url, body, timestampUnit: consumer.timestamp_unit }, credentials, sentAtMs),
    });
    this.serverCertificates.note(consumerId, url, exchange);
    const { outcome, httpStatus, durationMs } = exchange;
    this.logger.info(
      { consumerId, notificationId, credentialVersion, outcome, httpStatus, durationMs },
      'test delivery',
    );
    return {
      kind: 'sent',
      notificationId,
      eventType,
      credentialVersion,
      url,
      body,
      exchange: keepableExchange(exchange, credentials),
      advice: adviceFor(exchange),
    };
  }
}
