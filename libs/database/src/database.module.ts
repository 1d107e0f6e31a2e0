import { CONFIG, type Config } from '#libs/config';
import { within } from '#libs/contracts';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { sql } from 'kysely';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { SignInLinksRepository } from './access/sign-in-links.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { BulkActionsRepository } from './bulk-actions/bulk-actions.repository.js';
import { ChannelMessagesRepository } from './channels/channel-messages.repository.js';
import { ChannelSummariesRepository } from './channels/channel-summaries.repository.js';
import { ConsumerAlertsRepository } from './channels/consumer-alerts.repository.js';
import { ChannelsRepository } from './channels/channels.repository.js';
import {
  ConsumersReadingDatabase,
  Database,
  openConsumersReading,
  openDatabase,
  openReading,
  Pipeline,
  ReadingDatabase,
  type PoolOptions,
} from './connection/connection.js';
import { CertificatesRepository, ServerCertificateStore } from './consumers/certificates.repository.js';
import { ConsumersRepository } from './consumers/consumers.repository.js';
import { ExpiryGauge } from './consumers/expiry-gauge.js';
import { UrlRequestsRepository } from './consumers/url-requests.repository.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { OwnDeliveriesRepository } from './deliveries/own-deliveries.repository.js';
import { EventsRepository } from './events/events.repository.js';
import { NotificationsRepository } from './events/notifications.repository.js';
import { ConsumerHealthRepository } from './figures/consumer-health.repository.js';
import { QueueStateRepository } from './figures/queue-state.repository.js';
import { ReportRepository } from './figures/report.repository.js';
import { StatisticsWriter } from './figures/statistics-writer.js';
import { StatisticsRepository } from './figures/statistics.repository.js';
import { WorkersRepository } from './figures/workers.repository.js';
import { IssuesRepository } from './issues/issues.repository.js';
import { SearchRepository } from './lists/search.repository.js';
import { SchedulesRepository } from './maintenance/schedules.repository.js';
import { PaymentsRepository } from './payments/payments.repository.js';

const REPOSITORIES = [
  ApiKeysRepository,
  AuditRepository,
  BulkActionsRepository,
  CertificatesRepository,
  ChannelMessagesRepository,
  ChannelSummariesRepository,
  ChannelsRepository,
  ConsumerAlertsRepository,
  ConsumerHealthRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  IssuesRepository,
  NotificationsRepository,
  OwnDeliveriesRepository,
  PaymentsRepository,
  QueueStateRepository,
  ReportRepository,
  SearchRepository,
  SchedulesRepository,
  SignInLinksRepository,
  StatisticsRepository,
  UrlRequestsRepository,
  WorkersRepository,
];

/** Services that api and worker share, in addition to the repositories. */
const SERVICES = [ExpiryGauge, ServerCertificateStore, StatisticsWriter];

/**
 * Lists have their own pool, so that they wait only for each other, and accept, fetch and record never for a list.
 * The lock timeout is shorter than the statement timeout, so that the two causes can be distinguished.
 */
const READING_LIMITS = { poolSize: 6, queryTimeoutMs: 6_700, settings: '-c lock_timeout=4s' } as const;

/** Separate, so that consumers that catch up after an outage do not delay operators who look for its cause. */
const CONSUMERS_READING_LIMITS = { ...READING_LIMITS, poolSize: 3 } as const;

/**
 * For accept, fetch and record: each of their statements has its index and a plan that fits any number of rows. By
 * default the planner reads all of `pending_deliveries` when it is nearly empty and full of dead rows, as after a
 * burst, and keeps that plan; or it plans each small batch anew, which costs more than its execution.
 */
export const PIPELINE_SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/**
 * A statement that takes longer waits for a lock, or its connection is dead. Each statement can be repeated. Only one
 * fetch is under way at a time, so one that hangs would keep every consumer waiting.
 */
const PIPELINE_LIMITS = { poolSize: 6, queryTimeoutMs: 10_000, settings: PIPELINE_SETTINGS } as const;

/** A server that does not answer must not keep the process alive. */
const CLOSE_WITHIN_MS = 2_000;

type Limits = Partial<Pick<PoolOptions, 'poolSize' | 'queryTimeoutMs' | 'settings'>>;

const optionsOf = (config: Config, logger: Logger, limits: Limits): PoolOptions => ({
  ...config.database,
  ...limits,
  onIdleError: (error) => logger.warn({ fault: error.message }, 'postgres.connection_lost'),
});

const provided = <P>(provide: Type<P>, open: (options: PoolOptions) => P, limits: Limits) => ({
  provide,
  inject: [CONFIG, LOGGER],
  useFactory: (config: Config, logger: Logger): P => open(optionsOf(config, logger, limits)),
});

/** The only access to PostgreSQL: four pools for each process, closed when everything that uses them has ended. */
@Module({
  providers: [
    provided(Database, openDatabase, {}),
    provided(Pipeline, (options) => new Pipeline(options), PIPELINE_LIMITS),
    provided(ReadingDatabase, openReading, READING_LIMITS),
    provided(ConsumersReadingDatabase, openConsumersReading, CONSUMERS_READING_LIMITS),
    ...REPOSITORIES,
    ...SERVICES,
  ],
  exports: [
    Database,
    Pipeline,
    ReadingDatabase,
    ConsumersReadingDatabase,
    ...REPOSITORIES,
    ServerCertificateStore,
    StatisticsWriter,
  ],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly db: Database,
    private readonly pipeline: Pipeline,
    private readonly reading: ReadingDatabase,
    private readonly consumersReading: ConsumersReadingDatabase,
    readiness: Readiness,
  ) {
    readiness.register('postgres', async () => {
      await sql`select from dispatcher_state`.execute(db);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const pools = [this.db, this.reading, this.consumersReading];
    const closed = Promise.all([this.pipeline.close(), ...pools.map((pool) => pool.destroy())]);
    await within(CLOSE_WITHIN_MS, closed);
  }
}
