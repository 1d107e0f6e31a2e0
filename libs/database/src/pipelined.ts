import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';
import type { Database } from './connection.js';
import type { Tables } from './tables.js';

const BEGIN = CompiledQuery.raw('begin');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/** For handles on a connection that is held already. */
const ON_CONNECTION: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/**
 * A transaction that waits for answers only where it needs them. BEGIN goes out with the first statement; statements
 * that are started together go out together and run in that order; and `commit`, called while the last statement is
 * under way, goes out behind it. With the server's ordinary rules that is safe: behind a statement that failed, the
 * others fail too, and a COMMIT rolls back.
 *
 * Under load a round trip costs more waiting than its statement takes, since either side first finishes what it is at.
 *
 * @param work what it resolves to is returned once the commit has been answered, and not before
 * @throws what `work` threw, after rolling back, unless it had called `commit` before
 */
export async function pipelined<T>(
  db: Database,
  work: (trx: Database, commit: () => void) => Promise<T>,
): Promise<T> {
  return db.getExecutor().provideConnection(async (connection) => {
    const begun = heard(connection.executeQuery(BEGIN));
    let committed: Promise<unknown> | undefined;
    const commit = (): Promise<unknown> =>
      (committed ??= heard(connection.executeQuery<{ command?: unknown }>(COMMIT).then(assertCommitted)));
    try {
      const result = await work(on(db, connection), () => void commit());
      await begun;
      await commit();
      return result;
    } catch (error) {
      // What is asked of the connection next must not run in this transaction: it ends here, or the connection does.
      await (committed?.catch(() => undefined) ?? connection.executeQuery(ROLLBACK).catch(() => undefined));
      throw error;
    }
  });
}

/** PostgreSQL completes the COMMIT of a transaction in which a statement has failed with the tag ROLLBACK. */
function assertCommitted({
  rows: [row],
}: {
  readonly rows: readonly { readonly command?: unknown }[];
}): void {
  if (row?.command !== 'COMMIT')
    throw new Error('the transaction was rolled back: one of its statements had failed');
}

/** Whoever awaits it hears of its failure; that nobody does yet is no fault. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Sends at once, whatever else is under way on the connection. */
function on(db: Database, connection: DatabaseConnection): Database {
  const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
  const executor = db.getExecutor().withConnectionProvider(provider);
  return new Kysely<Tables>({
    config: { dialect: ON_CONNECTION },
    dialect: ON_CONNECTION,
    driver: new DummyDriver(),
    executor,
  });
}
