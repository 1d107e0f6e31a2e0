import { CONFIG, type Config } from '#libs/config';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { AuditRepository } from './access/audit.repository.js';
import { BulkActionsRepository } from './bulk/bulk-actions.repository.js';
import { openDatabase, type Database } from './connection.js';
import { ConsumersRepository } from './consumers/consumers.repository.js';
import { DATABASE, READING } from './database-token.js';
import { DeliveriesRepository } from './reading/deliveries.repository.js';
import { EventsRepository } from './reading/events.repository.js';
import { NotificationsRepository } from './reading/notifications.repository.js';
import { PaymentsRepository } from './reading/payments.repository.js';
import { QueueStateRepository } from './reading/queue-state.repository.js';
import { SchedulesRepository } from './scheduling/schedules.repository.js';
import { StatisticsRepository } from './statistics/statistics.repository.js';
import { WorkersRepository } from './statistics/workers.repository.js';

const REPOSITORIES = [
  ApiKeysRepository,
  AuditRepository,
  BulkActionsRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  NotificationsRepository,
  PaymentsRepository,
  QueueStateRepository,
  SchedulesRepository,
  StatisticsRepository,
  WorkersRepository,
];

/** Heavy lists wait for each other here, and for no longer than this, instead of keeping accept, take and record waiting. */
const READING_LIMITS = { poolSize: 6, queryTimeoutMs: 6_700 } as const;

const open =
  (limits: { poolSize?: number; queryTimeoutMs?: number }) =>
  (config: Config, logger: Logger): Database =>
    openDatabase({
      ...config.database,
      ...limits,
      onIdleError: (error) => logger.warn({ fault: error.message }, 'an idle connection to PostgreSQL broke'),
    });

/** The only door to PostgreSQL: two pools a process, closed when everything that uses them has ended. */
@Module({
  providers: [
    { provide: DATABASE, inject: [CONFIG, LOGGER], useFactory: open({}) },
    { provide: READING, inject: [CONFIG, LOGGER], useFactory: open(READING_LIMITS) },
    ...REPOSITORIES,
  ],
  exports: [DATABASE, READING, ...REPOSITORIES],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(READING) private readonly reading: Database,
    readiness: Readiness,
  ) {
    readiness.register('postgres', async () => {
      await sql`select from dispatcher_state`.execute(db);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.db.destroy(), this.reading.destroy()]);
  }
}
