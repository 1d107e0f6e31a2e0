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

/** What an end waits for a server that may answer nothing. */
const CLOSE_WITHIN_MS = 2_000;

/** Not to sign in, no such database, not allowed: what PostgreSQL says again however often it is asked. */
const IS_FINAL = /^(28|3D|42)/;

/** As BullMQ's own factory makes it, from parts that wait for PostgreSQL. A worker's is named after the queue. */
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
 * BullMQ's connection keeps the failure of its first use for good, and with it every later call fails: a process that
 * started while PostgreSQL restarts would never work. This one tries until PostgreSQL answers. Meanwhile calls wait, as
 * they do on Redis; each failure is an `error` event.
 */
class ReconnectingConnection extends PostgresConnection {
  private answer: Promise<void> | undefined;

  /** @throws when no wait helps: BullMQ's tables are missing or too new, or PostgreSQL lets us not in */
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
    // As BullMQ's own connection does: its creator has attached its listeners before.
    setTimeout(() => this.emit('ready'), 0);
  }

  private async checkSchema(): Promise<void> {
    const client = await this.pool.connect();
    // One that breaks now is also heard of here, and unheard it would end the process.
    client.on('error', () => undefined);
    try {
      await assertSchemaCompatibility(client, this.schema);
    } finally {
      client.release();
    }
  }
}

/** Puts no load on a server that fails, and does not wait for it when closing. */
class ReconnectingBackend extends PostgresQueueBackend {
  /** A worker repeats a fetch that failed at once: 250 new connections a second to a server that recovers from a crash. */
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
