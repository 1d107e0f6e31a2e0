import type { EventType } from '#libs/contracts';
import {
  ConsumersRepository,
  credentialVersions,
  recordAudit,
  ServerCertificateStore,
  type ConsumerRow,
  Database,
} from '#libs/database';
import { LocalFaultError, type Egress, type Exchange } from '#libs/egress';
import { LOGGER, type Logger } from '#libs/observability';
import { signedHeaders } from '#libs/signing';
import { keepableExchange, UndecryptableError, type CredentialCache } from '#libs/vault';
import {
  ConflictException,
  HttpException,
  Inject,
  Injectable,
  ServiceUnavailableException,
} from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import type { TestConsumerDto } from './test-delivery.dto.js';
import { CREDENTIALS, EGRESS } from '../../../secrets/secrets.module.js';
import { CredentialsUnreadableError } from '../../../secrets/opened-credentials.js';
import { FULLEST_STATUS, sampleEnvelope } from './sample-change.js';
import { found } from '../../../http/found.js';

/** Maximum number of concurrent tests: enough for manual tests, too few to cause load. */
const MOST_AT_ONCE = 4;

/** The result of a test delivery. */
export interface ConsumerTested {
  readonly notificationId: string;
  readonly eventType: EventType;
  readonly credentialVersion: number;
  readonly url: string;
  readonly body: string;
  /** Without the dispatcher's secrets, even where the consumer repeats them. */
  readonly exchange: Exchange;
}

/**
 * Sends a marked sample to a consumer now, signed and guarded like every attempt, and returns the response. It is not
 * a delivery: no row, no retry, no effect on the consumer's health, and neither a pause nor an open circuit stops it.
 */
@Injectable()
export class TestConsumer {
  private underWay = 0;

  constructor(
    private readonly db: Database,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly consumers: ConsumersRepository,
    private readonly serverCertificates: ServerCertificateStore,
  ) {}

  /**
   * @throws NotFoundException; ConflictException without usable credentials; HttpException 429 when too many tests
   *   are under way; ServiceUnavailableException when this process cannot send
   */
  async execute(consumerId: string, body: TestConsumerDto, actor: Actor): Promise<ConsumerTested> {
    if (this.underWay >= MOST_AT_ONCE)
      throw new HttpException(
        'The maximum number of test deliveries is already in flight. Wait for them to end.',
        429,
      );
    this.underWay += 1;
    try {
      return await this.send(consumerId, body, actor);
    } catch (error) {
      throw inWords(error);
    } finally {
      this.underWay -= 1;
    }
  }

  private async send(
    consumerId: string,
    { eventType: wantedType, credentials: which = 'current' }: TestConsumerDto,
    actor: Actor,
  ): Promise<ConsumerTested> {
    const consumer = found(await this.consumers.find(consumerId), 'consumer');
    const credentialVersion = await this.versionOf(consumer, which);
    const credentials = await this.credentials.get(consumerId, credentialVersion);

    const eventType = wantedType ?? consumer.event_types[0] ?? 'ach.status';
    const { notificationId, body } = sampleEnvelope(FULLEST_STATUS[eventType], new Date());
    const { url } = consumer;
    // Recorded before the test is sent, so that every test has its entry in the audit log.
    await recordAudit(
      this.db,
      auditEntry(actor, {
        action: 'consumer.tested',
        target: `consumer:${consumerId}`,
        details: { notificationId, eventType, credentialVersion },
      }),
    );
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
    const kept = keepableExchange(exchange, credentials);
    const { outcome, httpStatus, durationMs } = exchange;
    this.logger.info(
      { consumerId, notificationId, credentialVersion, outcome, httpStatus, durationMs },
      'consumer.tested',
    );
    return {
      notificationId,
      eventType,
      credentialVersion,
      url,
      body,
      exchange: kept,
    };
  }

  private async versionOf(consumer: ConsumerRow, which: 'current' | 'next'): Promise<number> {
    const wanted = which === 'next' ? 'coming' : 'current';
    const versions = await credentialVersions(this.db, consumer.id);
    const version = versions.find(({ state }) => state === wanted);
    if (version === undefined)
      throw new ConflictException(
        'No version of its credentials is coming. Add one with an activateAt, or test the current one.',
      );
    return version.version;
  }
}

function inWords(error: unknown): unknown {
  if (error instanceof UndecryptableError) return new CredentialsUnreadableError(error);
  if (error instanceof LocalFaultError)
    return new ServiceUnavailableException(
      `This process cannot send at the moment: ${error.message}. Try again.`,
    );
  return error;
}
