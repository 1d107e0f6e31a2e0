import { randomBytes } from 'node:crypto';
import { checkPlain, StatusChangeDto } from '#libs/contracts';
import { readConfig } from '#libs/config';
import { ConsumersRepository, DATABASE, type Database, type NewConsumer } from '#libs/database';
import { AcceptService, DispatchModule, VAULT, type Acceptance } from '#libs/dispatch';
import { ConfigModule } from '#libs/config';
import { createLogger, ObservabilityModule } from '#libs/observability';
import { QueueModule } from '#libs/queue';
import type { Vault } from '#libs/vault';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '#test/support/test-database';

/** The story's services on a database of their own, in the test's process, with nobody consuming the queue. */
export interface StoryInProcess {
  readonly app: INestApplicationContext;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly accept: AcceptService;
  close(): Promise<void>;
}

const KEYRING = `test:${randomBytes(32).toString('base64')}`;

/** Starts it; jobs go to a namespace of their own in the run's Redis. */
export async function startStoryInProcess(): Promise<StoryInProcess> {
  const database = await createTestDatabase();
  const config = readConfig('worker', {
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    QUEUE_NAMESPACE: `t${uuidv7().replaceAll('-', '')}`,
    SECRETS_KEYRING: KEYRING,
    EGRESS_ALLOW: '127.0.0.0/8',
    ALLOW_HTTP: 'true',
  });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(createLogger({ level: 'silent', process: 'test' })),
      QueueModule.forRoot(config.queue),
      DispatchModule,
    ],
  })
  class Process {}

  const app = await NestFactory.createApplicationContext(Process, { logger: false });
  return {
    app,
    databaseUrl: database.url,
    db: app.get<Database>(DATABASE, { strict: false }),
    accept: app.get(AcceptService, { strict: false }),
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

/** Registers a consumer; everything not given is ordinary. */
export async function addConsumer(story: StoryInProcess, given: Partial<NewConsumer> = {}): Promise<string> {
  const id = uuidv7();
  const sealed = await story.app
    .get<Vault>(VAULT, { strict: false })
    .seal(
      { consumerId: id, version: 1 },
      { signingSecret: 'whsec_test', username: 'bank', password: 'secret' },
    );
  await story.app.get(ConsumersRepository, { strict: false }).insert(
    {
      id,
      name: 'Acme',
      external_id: null,
      url: 'http://127.0.0.1:9/hook',
      contact: null,
      notes: null,
      event_types: ['ach.status', 'wire.status'],
      ach_company_ids: [],
      wire_company_ids: [],
      all_payments: false,
      timestamp_unit: 'seconds',
      ordering: 'payment',
      timeout_ms: 10_000,
      max_concurrency: 64,
      max_per_second: null,
      retry_schedule: null,
      ...given,
    },
    { sealed, clientCertificates: [] },
    { actor: 'test', action: 'consumer.registered', target: id, address: null, details: {} },
  );
  return id;
}

/** Accepts a status change, given as a producer's JSON. */
export async function accept(
  story: StoryInProcess,
  change: object,
  options: { producer?: string; key?: string; traceparent?: string | undefined } = {},
): Promise<Acceptance> {
  const checked = checkPlain(StatusChangeDto, change);
  if (!checked.ok) throw new Error(`the test's own change is invalid: ${JSON.stringify(checked.faults)}`);
  return story.accept.accept({
    producer: options.producer ?? 'hub',
    idempotencyKey: options.key,
    traceparent: options.traceparent,
    change: checked.value,
  });
}

/** How many rows a table holds. */
export async function rowsIn(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.id(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
