import { Kysely, PostgresDialect, type KyselyConfig, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import { noteConnectionFault } from './faults.js';
import type { DB as Tables } from './tables.js';

/** What runs queries: any pool, or a transaction on it. A function that needs a certain pool names its class instead. */
export type Queryable = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

const QUERY_TIMEOUT_MS = 20_000;

/**
 * Our transactions never think between two statements. One that does belongs to a process that was suspended, and its
 * locks would keep other workers waiting.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

/** How a pool is opened; `settings` are the server's, as on its command line (`-c name=value`). */
export interface PoolOptions {
  readonly url: string;
  readonly poolSize: number;
  /** 0 sets no limit at all, for migrations. */
  readonly queryTimeoutMs?: number;
  readonly settings?: string;
  /** Hears of connections that break while idle (a restart of PostgreSQL); the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

/*
 * One class a pool, which is also its injection token. `purpose` makes the classes differ for the compiler too: it refuses
 * a pool where another one is asked for, and a pool where a transaction is.
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

/** The pool of the lists that consumers read: so few connections that operators keep theirs. */
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
 * A statement of the hot path: a constant text with parameters, prepared once a connection under its name. The name also
 * shows it in `pg_stat_activity`, if the text begins with it as a comment.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What runs statements of the hot path, each as one message and one transaction. */
export interface Statements {
  /** Kysely over the same connections, for what needs more than one statement. */
  readonly db: Queryable;
  /** @returns its rows */
  query<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * The pool of accept, fetch and record: statements that are text, and Kysely over the same connections for what is rare.
 * A type of its own, since its sessions have settings that other queries must not run under.
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

  close(): Promise<void> {
    return this.db.destroy();
  }
}

/**
 * A pool. Getting a connection fails after 3 s; callers then answer 503 or try again later. A statement that is not
 * answered in time fails, and its connection is closed, since the peer may no longer be there.
 */
function openPool(options: PoolOptions): pg.Pool {
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
    // Connections of a pool that is being closed are meant to end, whichever side is first.
    if (!pool.ending) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // A connection that breaks between two statements of a transaction is heard of here only, and unheard it would end
    // the process. The transaction fails at its next statement, and the pool drops the connection.
    client.on('error', () => undefined);
    noteFaults(client);
  });
  return pool;
}

function over(pool: pg.Pool): KyselyConfig {
  const noting = { options: pool.options, connect: () => connected(pool), end: () => pool.end() };
  return { dialect: new PostgresDialect({ pool: noting }) };
}

async function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (fault) {
    noteConnectionFault(fault);
    throw fault;
  }
}

/**
 * The driver's time limit fails what is under way and keeps the connection, which the pool would hand out again: with a
 * server that vanished without a word, for as long as the system takes to notice. Closed, it is replaced. What a
 * connection raises is noted as such.
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
