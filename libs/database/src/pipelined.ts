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
  type QueryResult,
} from 'kysely';
import type { Database } from './connection.js';
import type { Tables } from './tables.js';
import { BEGIN, COMMIT, together, type Answer, type Outcome, type Statement } from './together.js';

const ROLLBACK = CompiledQuery.raw('rollback');

/** For handles on a connection that is held already. */
const ON_CONNECTION: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/**
 * A transaction that waits for answers only where it needs them. Statements that are started in the same turn go to the
 * server in one message and run in that order: BEGIN goes with the first, and COMMIT, by a `commit` called where the last
 * is started, with that one. Behind a statement that failed the server skips the others, the COMMIT too.
 *
 * A message costs each side more than most statements: a system call to send it and one to take it, and under load the
 * waiting until either side has finished what it is at.
 *
 * @param work what it resolves to is returned once the commit has been answered, and not before
 * @throws what `work` threw, after rolling back, unless what it had called `commit` for has been committed
 */
export async function pipelined<T>(
  db: Database,
  work: (trx: Database, commit: () => void) => Promise<T>,
): Promise<T> {
  return db.getExecutor().provideConnection(async (connection) => {
    const messages = new Messages(connection);
    const begun = heard(messages.run(BEGIN));
    let committed: Promise<unknown> | undefined;
    const commit = (): Promise<unknown> => (committed ??= heard(messages.run(COMMIT).then(assertCommitted)));
    try {
      const result = await work(on(db, messages), () => void commit());
      await begun;
      await commit();
      return result;
    } catch (error) {
      // What is asked of the connection next must not run in this transaction: it ends here, or the connection does.
      const isOver = await committed?.then(
        () => true,
        () => false,
      );
      if (isOver !== true) await connection.executeQuery(ROLLBACK).catch(() => undefined);
      throw error;
    }
  });
}

interface Waiting {
  readonly statement: Statement;
  readonly settle: (outcome: Outcome) => void;
}

/** Gathers the statements of one turn into one message. */
class Messages implements DatabaseConnection {
  private waiting: Waiting[] = [];

  constructor(private readonly connection: DatabaseConnection) {}

  async run(statement: Statement): Promise<Answer> {
    const outcome = await new Promise<Outcome>((settle) => {
      if (this.waiting.push({ statement, settle }) === 1) queueMicrotask(() => void this.send());
    });
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows } = await this.run(query);
    return { rows };
  }

  streamQuery(): never {
    throw new Error('nothing is streamed in a pipelined transaction');
  }

  private async send(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    const message = together(waiting.map(({ statement }) => statement));
    const outcomes = await this.connection.executeQuery<Outcome>(message).then(
      ({ rows }) => rows,
      (reason: unknown) => waiting.map((): Outcome => ({ status: 'rejected', reason })),
    );
    waiting.forEach(({ settle }, index) => {
      settle(outcomes[index] ?? { status: 'rejected', reason: new Error('a statement was not answered') });
    });
  }
}

/** PostgreSQL completes the COMMIT of a transaction in which a statement has failed with the tag ROLLBACK. */
function assertCommitted({ command }: Answer): void {
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back: one of its statements had failed');
}

/** Whoever awaits it hears of its failure; that nobody does yet is no fault. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Statements that are started on it are handed to the connection at once, whatever else is under way there. */
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
