import 'reflect-metadata';
import { processEnvironment, readConfig, runProcess } from '#libs/config';
import { migrateToLatest, untilPostgresAnswers } from '#libs/database';
import { faultText } from '#libs/observability';
import { prepareQueueBackend } from '#libs/queue';

/**
 * Maximum wait for PostgreSQL: enough if it starts at the same time, and a mistyped DATABASE_URL is reported soon.
 */
const WAIT_FOR_POSTGRES_MS = 15_000;

/** `npm run migrate`: migrates the dispatcher's schema, then the queue's if PostgreSQL is its backend. */
async function main(): Promise<void> {
  const config = readConfig('tool', processEnvironment());
  await untilPostgresAnswers(config.database.url, {
    withinMs: WAIT_FOR_POSTGRES_MS,
    onWait: (reason) => {
      const seconds = String(WAIT_FOR_POSTGRES_MS / 1_000);
      process.stderr.write(`waiting up to ${seconds} s for PostgreSQL: ${faultText(reason)}\n`);
    },
  });
  const applied = await migrateToLatest(config.database.url, {
    onLocked: (migration, attempt, tries) =>
      process.stderr.write(
        `${migration} waits for a lock, try ${String(attempt)} of ${String(tries)}: the oldest rows of pg_stat_activity show who has it\n`,
      ),
  });
  await prepareQueueBackend(config.queue);
  process.stdout.write(
    applied.length > 0
      ? `migrated: ${applied.join(', ')}\n`
      : 'nothing to migrate: the schema has all migrations of this version\n',
  );
}

runProcess(main);
