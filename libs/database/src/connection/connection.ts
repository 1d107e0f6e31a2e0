import { clientFor, urlsOf } from '#libs/postgres';
import { Kysely, PostgresDialect, type KyselyConfig, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import type { DB as Tables } from '../schema/tables.js';
import { noteConnectionFault } from './faults.js';

/** Runs queries: any pool, or a transaction on it. A function that needs a certain pool names its class instead. */
export type Queryable = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

const QUERY_TIMEOUT_MS = 20_000;

/**
 * Maximum idle time in a transaction, in milliseconds. Transactions do not pause between statements, except in a
 * process that was suspended; its locks would keep other workers waiting.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

/** Options of a pool. `settings` are PostgreSQL's, as on the server's command line (`-c name=value`). */
export interface PoolOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Maximum duration of a statement, in milliseconds; 0: no limit, for migrations. */
  readonly queryTimeoutMs?: number;
  readonly settings?: string;
  /** Called when a connection breaks while idle (a restart of PostgreSQL); the pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

/*
 * Each pool has its own class, which is also its injection token. `purpose` makes the classes differ for the compiler
 * too: where one pool is required, it refuses another pool and a transaction.
 */

/** The pool of writes, operators' commands and single look-ups. */
export class Database extends Kysely<Tables> {
  readonly purpose = 'commands';

  constructor(pool: pg.Pool) {
    super(over(pool));
  }
}

/** The pool of lists and screens: few connections, short time limits. */
export class ReadingDatabase extends Kysely<Tables> {
  readonly purpose = 'lists';

  constructor(pool: pg.Pool) {
    super(over(pool));
  }
}

/** The pool of consumers' own lists: few connections, and separate from those of operators. */
export class ConsumersReadingDatabase extends Kysely<Tables> {
  readonly purpose = 'lists-of-consumers';

  constructor(pool: pg.Pool) {
    super(over(pool));
  }
}

/** Opens the pool of commands. Nothing is connected yet; see `openPool`. */
export const openDatabase = (options: PoolOptions): Database => new Database(openPool(options));

/** Opens the pool of lists. */
export const openReading = (options: PoolOptions): ReadingDatabase => new ReadingDatabase(openPool(options));

/** Opens the pool of consumers' lists. */
export const openConsumersReading = (options: PoolOptions): ConsumersReadingDatabase =>
  new ConsumersReadingDatabase(openPool(options));

/**
 * A statement of the hot path: a constant text with parameters, prepared under its name once for each connection. A
 * text that begins with the name as a comment can be recognized in `pg_stat_activity`.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements of the hot path, each as one message and one transaction. */
export interface Statements {
  /** Kysely over the same connections, for work that needs more than one statement. */
  readonly db: Queryable;
  /** @returns the statement's rows */
  query<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * The pool of accept, fetch and record: runs text statements, and rare work through Kysely over the same connections.
 * It is a separate type, since its connections have settings under which other queries must not run.
 */
export class Pipeline implements Statements {
  readonly db: Queryable;
  private readonly pool: pg.Pool;

  constructor(options: PoolOptions) {
    this.pool = openPool(options);
    this.db = new Kysely<Tables>(over(this.pool));
  }

  async query<Row extends pg.QueryResultRow>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const client = await connected(this.pool);
    try {
      return (await client.query<Row>({ name, text, values: [...values] })).rows;
    } finally {
      client.release();
    }
  }

  async close(): Promise<void> {
    await this.db.destroy();
    // Kysely ends only a pool that it has used.
    if (!this.pool.ending) await this.pool.end();
  }
}

/**
 * Opens a pool. Getting a connection fails after 3 s for each host; callers then answer 503 or try again later. A
 * statement that is not answered in time fails, and its connection is closed, since the server may be unreachable.
 */
function openPool(options: PoolOptions): pg.Pool {
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: clientFor(options.url),
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'payment-notification-dispatcher',
    query_timeout: queryTimeoutMs,
    // A reachable server gives up before the client does, and reports it.
    statement_timeout: queryTimeoutMs * 0.75,
    idle_in_transaction_session_timeout: queryTimeoutMs === 0 ? 0 : IDLE_IN_TRANSACTION_MS,
    ...(options.settings === undefined ? {} : { options: options.settings }),
  });
  pool.on('error', (error) => {
    // While a pool is being closed, a connection may be closed by either peer, which is no fault.
    if (!pool.ending) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // A connection that breaks between two statements of a transaction emits only this event, and without a listener
    // it would end the process. The transaction fails at its next statement, and the pool drops the connection.
    client.on('error', () => undefined);
    noteFaults(client);
  });
  return pool;
}

function over(pool: pg.Pool): KyselyConfig {
  const noting = { options: pool.options, connect: () => connected(pool), end: () => pool.end() };
  return { dialect: new PostgresDialect({ pool: noting }) };
}

/** Each try reaches the next host, where the URL has several. */
async function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let others = urlsOf(pool.options.connectionString ?? '').length - 1; ; others -= 1) {
    try {
      return await pool.connect();
    } catch (fault) {
      noteConnectionFault(fault);
      if (others === 0) throw fault;
    }
  }
}

/**
 * Notes a connection's errors as PostgreSQL's, and closes the connection after the driver's time limit. The driver
 * fails the query but keeps the connection, and the pool would hand it out again: if the server has vanished
 * silently, for as long as the operating system takes to notice. The pool replaces a closed connection.
 */
function noteFaults(client: pg.PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (!(client instanceof pg.Client) || typeof query !== 'function') return;
  Object.defineProperty(client, 'query', {
    value: (...given: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(query, client, given);
      if (answer instanceof Promise)
        answer.catch((fault: unknown) => {
          noteConnectionFault(fault);
          if (fault instanceof Error && fault.message === 'Query read timeout')
            void client.end().catch(() => undefined);
        });
      return answer;
    },
  });
}
