import { within } from '#libs/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCK_MS, MOST_LOST, STALLED_EVERY_MS } from './worker-options.js';
import {
  assertSchemaCompatibility,
  PostgresConnection,
  PostgresQueueBackend,
  SchemaMigrationRequiredError,
  SchemaVersionMismatchError,
  UnsupportedPostgresVersionError,
  type PostgresConnectionOptions,
  type QueueBaseOptions,
} from 'bullmq';

const TRY_EVERY_MS = 500;

/** Maximum wait for the server when closing; it may not answer. */
const CLOSE_WITHIN_MS = 2_000;

/** SQLSTATE classes that retries do not cure: login refused (28), unknown database (3D), access or syntax (42). */
const IS_FINAL = /^(28|3D|42)/;

/**
 * Gives BullMQ's locks the time of PostgreSQL. BullMQ writes a lock by the clock of the worker that has it: a worker that
 * dies while its clock is ahead would keep its jobs for as long, and one whose clock is behind would lose them at once.
 */
export const LOCK_BY_POSTGRES_CLOCK = `
  -- Two processes may prepare the queue at the same time.
  select pg_advisory_xact_lock(hashtext('lock_by_postgres_clock'));
  create or replace function lock_by_postgres_clock() returns trigger language plpgsql as $$
  begin
    new.locked_until_ms := extract(epoch from clock_timestamp()) * 1000 + ${LOCK_MS};
    return new;
  end $$;
  create or replace trigger lock_by_postgres_clock before update of locked_until_ms on job
  for each row when (new.locked_until_ms is not null) execute function lock_by_postgres_clock()`;

/** BullMQ's own statement for jobs whose lock has run out, with PostgreSQL's clock instead of the worker's. */
const RECLAIM = `select id from move_stalled_jobs_to_wait($1, $2, (extract(epoch from clock_timestamp()) * 1000)::bigint, $3) t (id)`;

/** Replaces BullMQ's factory: the backend waits for PostgreSQL. A worker's connection is named after the queue. */
export const reconnectingPostgres = (
  name: string,
  options: QueueBaseOptions<PostgresConnectionOptions>,
  { withBlockingConnection = false }: { withBlockingConnection?: boolean } = {},
): PostgresQueueBackend =>
  new ReconnectingBackend(
    new ReconnectingConnection(options.connection),
    name,
    options,
    true,
    withBlockingConnection ? name : undefined,
  );

/**
 * Retries until PostgreSQL answers. BullMQ's connection keeps the failure of its first use, and every later call
 * fails: a process that started while PostgreSQL restarts would never work. Meanwhile calls wait here, as they do on
 * Redis; each failure is an `error` event.
 */
class ReconnectingConnection extends PostgresConnection {
  private answer: Promise<void> | undefined;

  constructor(options: PostgresConnectionOptions) {
    super(options);
    // BullMQ passes the pool's settings on to its listening connection, except the class.
    if (typeof options === 'object' && 'Client' in options)
      Reflect.set(this, 'pgModule', { Client: options.Client });
  }

  /** @throws when retries are useless: BullMQ's tables missing or too new, PostgreSQL too old, or access refused */
  override waitUntilReady(): Promise<void> {
    this.answer ??= this.firstAnswer();
    return this.answer;
  }

  private async firstAnswer(): Promise<void> {
    for (;;) {
      try {
        await this.checkSchema();
        break;
      } catch (error) {
        if (this.isClosing !== undefined || isFinal(error)) throw error;
        if (this.listenerCount('error') > 0) this.emit('error', error);
        await delay(TRY_EVERY_MS);
      }
    }
    // Deferred as in BullMQ's own connection, so that the creator's listeners are attached.
    setTimeout(() => this.emit('ready'), 0);
  }

  private async checkSchema(): Promise<void> {
    const client = await this.pool.connect();
    // A client that breaks now also emits its error here; without a listener this would end the process.
    client.on('error', () => undefined);
    try {
      await assertSchemaCompatibility(client, this.schema);
    } finally {
      client.release();
    }
  }
}

/** Limits the load on a failing server, does not wait long for it when closing, and compares locks with its clock. */
class ReconnectingBackend extends PostgresQueueBackend {
  /** Delays an error, since a worker repeats at once: 250 new connections a second to a server that recovers. */
  override async moveToActive(
    ...args: Parameters<PostgresQueueBackend['moveToActive']>
  ): ReturnType<PostgresQueueBackend['moveToActive']> {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await delay(TRY_EVERY_MS);
      throw error;
    }
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    const values = [this.queueName, MOST_LOST, STALLED_EVERY_MS];
    const { rows } = await this.connection.pool.query<{ id: string }>(RECLAIM, values);
    return rows.map(({ id }) => id);
  }

  override async close(force?: boolean): Promise<void> {
    await within(CLOSE_WITHIN_MS, super.close(force));
  }
}

function isFinal(error: unknown): boolean {
  if (
    error instanceof SchemaMigrationRequiredError ||
    error instanceof SchemaVersionMismatchError ||
    error instanceof UnsupportedPostgresVersionError
  )
    return true;
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && IS_FINAL.test(error.code);
}
