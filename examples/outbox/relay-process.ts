import { Client } from 'pg';
import { runRelay } from '#examples/outbox/relay';
import { createProducer } from '#packages/client';

/**
 * `npm run outbox:relay`. Needs OUTBOX_DATABASE_URL (the database with the table `outbox`), API (the dispatcher's
 * address) and PRODUCER_KEY (a key with the role `producer`). It ends with 1 when PostgreSQL fails: run it under a
 * supervisor that starts it again, and run two of them for a quick take-over.
 */
const { OUTBOX_DATABASE_URL, API = '', PRODUCER_KEY = '' } = process.env;

const log = (event: string, fields: object): void =>
  void process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`);

const ended = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort());

const database = new Client({ connectionString: OUTBOX_DATABASE_URL, keepAlive: true });
// The statement that uses the broken connection fails, and ends the process.
database.on('error', ({ message }) => log('outbox.connection_lost', { reason: message }));

try {
  const producer = createProducer({ baseUrl: API, apiKey: PRODUCER_KEY, lingerMs: 0 });
  await database.connect();
  await runRelay({ database, producer, signal: ended.signal, log });
  await database.end();
} catch (error) {
  log('outbox.failed', { reason: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
