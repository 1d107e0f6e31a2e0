import { randomBytes } from 'node:crypto';
import { checkPlain, StatusChangeDto } from '#libs/contracts';
import { ConfigModule, readConfig } from '#libs/config';
import { ConsumersRepository, Pipeline, ReadingDatabase, Database, type NewConsumer } from '#libs/database';
import { createLogger, ObservabilityModule } from '#libs/observability';
import { DispatchQueue, JobQueueModule } from '#libs/queue';
import type { Vault } from '#libs/vault';
import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { v7 as uuidv7 } from 'uuid';

import { AcceptService } from '#apps/api/src/ingest/accept.service';
import type { Acceptance } from '#apps/api/src/ingest/acceptance';
import { CommandsModule } from '#apps/api/src/resources/commands.module';
import { VAULT } from '#apps/api/src/secrets/secrets.module';
import { MaintenanceModule } from '#apps/worker/src/maintenance.module';
import { WorkerModule } from '#apps/worker/src/worker.module';
import { afterFile } from '#test/support/after-file';
import { createTestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

/**
 * The services of api and worker in the test's process, on their own database. Jobs run only in workers of `startWorker`.
 */
export interface DispatcherInProcess {
  readonly app: INestApplicationContext;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly reading: ReadingDatabase;
  readonly pipeline: Pipeline;
  readonly accept: AcceptService;
  /**
   * Starts a worker with sessions, timers, reconciliation and scheduled jobs.
   * @param environment overrides for this worker, such as `WORKER_CONCURRENCY`
   */
  startWorker(environment?: Environment): Promise<WorkerInProcess>;
  /** Ends all of it; otherwise it ends after the last test of the file. */
  close(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A worker as in production, without its HTTP listener. */
export interface WorkerInProcess {
  readonly app: INestApplicationContext;
  /** Stops the worker as SIGTERM does; further calls have no effect. */
  close(): Promise<void>;
}

/** One logger for all: each one listens for the process's exit. */
const logger = createLogger({ level: 'silent', process: 'test' });

const KEYRING = `test:${randomBytes(32).toString('base64')}`;

/**
 * Starts accept, the operators' commands and the maintenance services of a worker. Jobs go to a new namespace in the
 * run's Redis.
 * @param environment overrides of the defaults
 */
export async function startDispatcherInProcess(environment: Environment = {}): Promise<DispatcherInProcess> {
  const database = await createTestDatabase();
  const own = {
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    QUEUE_NAMESPACE: `t${uuidv7().replaceAll('-', '')}`,
    SECRETS_KEYRING: KEYRING,
    EGRESS_ALLOW: '127.0.0.0/8',
    ALLOW_HTTP: 'true',
    ...environment,
  };
  const app = await startContext(own, [CommandsModule, MaintenanceModule]);
  const queue = app.get(DispatchQueue, { strict: false });
  await waitUntil(() => queue.isReachable(), { what: 'a connection to the queue' });
  const workers: WorkerInProcess[] = [];
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.close()));
    await app.close();
    await database.drop();
  };
  const close = (): Promise<void> => (closed ??= end());
  afterFile(close);
  return {
    app,
    databaseUrl: database.url,
    db: app.get(Database, { strict: false }),
    reading: app.get(ReadingDatabase, { strict: false }),
    pipeline: app.get(Pipeline, { strict: false }),
    accept: app.get(AcceptService, { strict: false }),
    startWorker: async (overrides = {}) => {
      const worker = workerOver(await startContext({ ...own, ...overrides }, [WorkerModule]));
      workers.push(worker);
      return worker;
    },
    close,
  };
}

function workerOver(app: INestApplicationContext): WorkerInProcess {
  let closed: Promise<void> | undefined;
  return { app, close: () => (closed ??= app.close()) };
}

function startContext(environment: Environment, modules: readonly Type[]): Promise<INestApplicationContext> {
  @Module({
    imports: [
      ConfigModule.forRoot(readConfig('worker', environment)),
      ObservabilityModule.forRoot(logger),
      JobQueueModule.forRoot(),
      ...modules,
    ],
  })
  class Process {}
  return NestFactory.createApplicationContext(Process, { logger: false, abortOnError: false });
}

/** Registers a consumer with defaults for everything not given. */
export async function addConsumer(
  dispatcher: DispatcherInProcess,
  given: Partial<NewConsumer> = {},
): Promise<string> {
  const id = uuidv7();
  const sealed = await dispatcher.app
    .get<Vault>(VAULT, { strict: false })
    .seal(
      { consumerId: id, version: 1 },
      { signingSecret: 'whsec_test', username: 'bank', password: 'secret' },
    );
  await dispatcher.app.get(ConsumersRepository, { strict: false }).insert(
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
  dispatcher: DispatcherInProcess,
  change: object,
  options: { producer?: string; key?: string; traceparent?: string | undefined } = {},
): Promise<Acceptance> {
  const checked = checkPlain(StatusChangeDto, change);
  if (!checked.ok) throw new Error(`the test's status change is invalid: ${JSON.stringify(checked.faults)}`);
  return dispatcher.accept.accept({
    producer: options.producer ?? 'hub',
    idempotencyKey: options.key,
    traceparent: options.traceparent,
    change: checked.value,
  });
}
