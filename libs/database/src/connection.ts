import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.js';

/** The database handle that repositories are given; a transaction is one too. */
export type Database = Kysely<Tables>;

/**
 * Opens the process's pool. Nothing is connected yet; a connection that cannot be had within 3 s is a fault of
 * ours that callers answer with 503 or a later try. The time limits keep a lost server from holding a caller.
 * `onIdleError` hears of connections that break while idle (a restart of PostgreSQL); the pool replaces them.
 */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  onIdleError?: (error: Error) => void;
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    query_timeout: 20_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    application_name: 'payment-notification-dispatcher',
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks between two statements of a transaction tells only this listener, and unheard it would
  // end the process. The transaction fails at its next statement, and the pool drops the connection.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
