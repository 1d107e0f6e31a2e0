import { CONFIG, type Config } from '#libs/config';
import { LOGGER, Readiness, type Logger } from '#libs/observability';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { AuditRepository } from './access/audit.repository.js';
import { BulkActionsRepository } from './bulk/bulk-actions.repository.js';
import { openDatabase, type Database } from './connection.js';
import { ConsumersRepository } from './consumers/consumers.repository.js';
import { DATABASE } from './database-token.js';
import { DeliveriesRepository } from './reading/deliveries.repository.js';
import { EventsRepository } from './reading/events.repository.js';
import { SchedulesRepository } from './scheduling/schedules.repository.js';

const REPOSITORIES = [
  ApiKeysRepository,
  AuditRepository,
  BulkActionsRepository,
  ConsumersRepository,
  DeliveriesRepository,
  EventsRepository,
  SchedulesRepository,
];

/** The only door to PostgreSQL: one pool a process, closed when everything that uses it has ended. */
@Module({
  providers: [
    {
      provide: DATABASE,
      inject: [CONFIG, LOGGER],
      useFactory: (config: Config, logger: Logger): Database =>
        openDatabase({
          ...config.database,
          onIdleError: (error) =>
            logger.warn({ fault: error.message }, 'an idle connection to PostgreSQL broke'),
        }),
    },
    ...REPOSITORIES,
  ],
  exports: [DATABASE, ...REPOSITORIES],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    readiness: Readiness,
  ) {
    readiness.register('postgres', async () => {
      await sql`select from dispatcher_state`.execute(db);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}
