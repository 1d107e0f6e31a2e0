import { CONFIG, type Config } from '#libs/config';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { sql } from 'kysely';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { AuditRepository } from './access/audit.repository.js';
import { BulkActionsRepository } from './bulk/bulk-actions.repository.js';
import { CertificatesRepository } from './certificates/certificates.repository.js';
import { ExpiryGauge } from './certificates/expiry-gauge.js';
import { ServerCertificateStore } from './certificates/server-certificates.js';
import {
  ConsumersReadingDatabase,
  Database,
  openConsumersReading,
  openDatabase,
  openReading,
  Pipeline,
  ReadingDatabase,
  type PoolOptions,
} from './connection.js';
import { ConsumersRepository } from './consumers/consumers.repository.js';
import { ConsumerHealthRepository } from './reading/consumer-health.repository.js';
import { DeliveriesRepository } from './reading/deliveries.repository.js';
import { EventsRepository } from './reading/events.repository.js';
import { NotificationsRepository } from './reading/notifications.repository.js';
import { PaymentsRepository } from './reading/payments.repository.js';
import { QueueStateRepository } from './reading/queue-state.repository.js';
import { ReportRepository } from './reading/report.repository.js';
import { SearchRepository } from './reading/search.repository.js';
import { SchedulesRepository } from './maintenance/schedules.repository.js';
import { StatisticsWriter } from './statistics/statistics-writer.js';
import { StatisticsRepository } from './statistics/statistics.repository.js';
import { WorkersRepository } from './statistics/workers.repository.js';

const REPOSITORIES = [
  ApiKeysRepository,
  AuditRepository,
  BulkActionsRepository,
  CertificatesRepository,
  ConsumerHealthRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  NotificationsRepository,
  PaymentsRepository,
  QueueStateRepository,
  ReportRepository,
  SearchRepository,
  SchedulesRepository,
  StatisticsRepository,
  WorkersRepository,
];

/** What api and worker share, except the repositories. */
const SERVICES = [ExpiryGauge, ServerCertificateStore, StatisticsWriter];

/**
 * Lists have a pool of their own, so that they wait for each other and not accept, fetch and record for them. The lock
 * timeout is shorter than the statement timeout, so that the two causes can be distinguished.
 */
const READING_LIMITS = { poolSize: 6, queryTimeoutMs: 6_700, settings: '-c lock_timeout=4s' } as const;

/** Consumers that catch up after an outage wait for each other, not operators who look for its cause. */
const CONSUMERS_READING_LIMITS = { ...READING_LIMITS, poolSize: 3 } as const;

/**
 * For accept, fetch and record: each of their statements has its index and a plan that fits every number of
 * rows. Left to itself the planner reads `pending_deliveries` whole when it is nearly empty and full of dead rows, as it
 * is after a burst, keeps that plan, or plans each small batch anew, which costs more than to execute it.
 */
export const PIPELINE_SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/**
 * A statement that takes longer waits for a lock, or its connection leads nowhere; each of them can be repeated. One
 * fetch is under way at a time, so what hangs would keep every consumer waiting.
 */
const PIPELINE_LIMITS = { poolSize: 6, queryTimeoutMs: 10_000, settings: PIPELINE_SETTINGS } as const;

type Limits = Partial<Pick<PoolOptions, 'poolSize' | 'queryTimeoutMs' | 'settings'>>;

const optionsOf = (config: Config, logger: Logger, limits: Limits): PoolOptions => ({
  ...config.database,
  ...limits,
  onIdleError: (error) => logger.warn({ fault: error.message }, 'an idle connection to PostgreSQL broke'),
});

const provided = <P>(provide: Type<P>, open: (options: PoolOptions) => P, limits: Limits) => ({
  provide,
  inject: [CONFIG, LOGGER],
  useFactory: (config: Config, logger: Logger): P => open(optionsOf(config, logger, limits)),
});

/** The only access to PostgreSQL: four pools a process, closed when everything that uses them has ended. */
@Module({
  providers: [
    provided(Database, openDatabase, {}),
    provided(Pipeline, (options) => new Pipeline(options), PIPELINE_LIMITS),
    provided(ReadingDatabase, openReading, READING_LIMITS),
    provided(ConsumersReadingDatabase, openConsumersReading, CONSUMERS_READING_LIMITS),
    ...REPOSITORIES,
    ...SERVICES,
  ],
  exports: [Database, Pipeline, ReadingDatabase, ...REPOSITORIES, ServerCertificateStore, StatisticsWriter],
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
    await Promise.all([this.pipeline.close(), ...pools.map((pool) => pool.destroy())]);
  }
}
