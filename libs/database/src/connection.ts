import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { noteConnectionFault } from './faults.js';
import { preparedName } from './prepared.js';
import type { Tables } from './tables.js';
import { sendTogether, statementsIn } from './together.js';

/** The database handle that repositories are given; a transaction is one too. */
export type Database = Kysely<Tables>;

const QUERY_TIMEOUT_MS = 20_000;

/**
 * Our transactions never think between two statements. One that does belongs to a process that was suspended, and its
 * locks would stop every other worker's takes and records; less than what a lease outlasts the consumer's timeout by.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

/**
 * Opens the process's pool. Nothing is connected yet; a connection that cannot be had within 3 s is a fault of
 * ours that callers answer with 503 or a later try. A statement that is not answered in time fails, and its
 * connection, which may lead nowhere, is closed; `queryTimeoutMs: 0` sets no limit at all, for migrations.
 * `settings` are the server's, as on its command line (`-c name=value`). `onIdleError` hears of connections that break while idle (a restart of PostgreSQL); the pool replaces them.
 */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  queryTimeoutMs?: number;
  settings?: string;
  onIdleError?: (error: Error) => void;
}): Database {
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'payment-notification-dispatcher',
    query_timeout: queryTimeoutMs,
    // The server gives up first where it can, and says so.
    statement_timeout: queryTimeoutMs * 0.75,
    idle_in_transaction_session_timeout: queryTimeoutMs === 0 ? 0 : IDLE_IN_TRANSACTION_MS,
    ...(options.settings === undefined ? {} : { options: options.settings }),
  });
  pool.on('error', (error) => {
    // Connections of a pool that is being closed are meant to end, whoever is first.
    if (!pool.ending) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // A connection that breaks between two statements of a transaction tells only this listener, and unheard it
    // would end the process. The transaction fails at its next statement, and the pool drops the connection.
    client.on('error', () => undefined);
    overrideQuery(client);
  });
  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (fault) {
      noteConnectionFault(fault);
      throw fault;
    }
  };
  const noting = { options: pool.options, connect, end: () => pool.end() };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: noting }) });
}

/**
 * Three things that the driver leaves to its user. A statement that begins with a comment is prepared under that name
 * (see `prepared`). Several go in one message (see `together`). And its time limit fails what is under way and keeps the
 * connection, which the pool would hand out again: with a server that vanished without a word, for as long as the
 * system takes to notice. Closed, it is replaced. What a connection raises is noted as such.
 */
function overrideQuery(client: pg.PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (!(client instanceof pg.Client) || typeof query !== 'function') return;
  const onFault = (fault: unknown): void => {
    noteConnectionFault(fault);
    if (fault instanceof Error && fault.message === 'Query read timeout')
      void client.end().catch(() => undefined);
  };
  Object.defineProperty(client, 'query', {
    value: (text: unknown, values: unknown, ...more: unknown[]): unknown => {
      const statements = statementsIn(text, values);
      if (statements !== undefined) return sendTogether(client, statements, onFault);
      const name = typeof text === 'string' ? preparedName(text) : undefined;
      const given = name === undefined ? [text, values, ...more] : [{ name, text, values }, ...more];
      const answer: unknown = Reflect.apply(query, client, given);
      if (answer instanceof Promise) answer.catch(onFault);
      return answer;
    },
  });
}
