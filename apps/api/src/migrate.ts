import 'reflect-metadata';
import { processEnvironment, readConfig, runProcess } from '#libs/config';
import { migrateToLatest } from '#libs/database';
import { prepareQueueBackend } from '#libs/queue';

/** `npm run migrate`: the dispatcher's own schema, then the queue's when PostgreSQL is its backend. */
async function main(): Promise<void> {
  const config = readConfig('tool', processEnvironment());
  const applied = await migrateToLatest(config.database.url);
  await prepareQueueBackend(config.queue);
  process.stdout.write(
    applied.length > 0
      ? `migrated: ${applied.join(', ')}\n`
      : 'nothing to migrate: the schema is up to date\n',
  );
}

runProcess(main);
