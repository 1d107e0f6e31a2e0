import { within } from '#libs/contracts';
import { setTimeout as delay } from 'node:timers/promises';
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

/** Limits the load on a failing server, and does not wait long for it when closing. */
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
