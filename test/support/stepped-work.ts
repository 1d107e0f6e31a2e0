import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Database,
  noteConnectionFault,
  ReadingDatabase,
  type Queryable,
  type Statement,
  type Statements,
} from '#libs/database';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { waitUntil } from '#test/support/wait-until';

/** Where work stands: between two statements, at a lock that another transaction holds, or at its end. */
export type PendingState = 'paused' | 'blocked' | 'done';

/** What is not done after it may wait for a lock. */
const A_STATEMENT_MS = 5;

/** A connection of its own for work that a test lets through statement by statement. */
export class SteppedConnection {
  private readonly name: string;
  private readonly own: Database;
  private readonly statements: Statements;
  /** The pool of lists, stepped too. */
  readonly reading: ReadingDatabase;

  private halt: () => Promise<void> = () => Promise.resolve();
  private letGo: () => void = () => undefined;

  constructor(
    databaseUrl: string,
    private readonly watcher: Queryable,
  ) {
    // Other test files step theirs on the same server at the same time.
    this.name = `stepped-${randomUUID()}`;
    const pool = new pg.Pool({ connectionString: databaseUrl, application_name: this.name, max: 1 });
    // One that breaks fails the statement that is under way; nobody else need hear of it.
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
      step(client, () => this.halt());
    });
    pool.on('error', () => undefined);
    this.own = new Database(pool);
    this.reading = new ReadingDatabase(pool);
    this.statements = {
      db: this.own,
      query: async <Row extends pg.QueryResultRow>({ text }: Statement, values: readonly unknown[]) =>
        (await this.own.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
    };
  }

  /**
   * Begins work, which halts before its first statement and after each one. A statement outside of a transaction is one of
   * its own, which halts before its commit and after it; another commit belongs to what follows the last statement.
   */
  begin<T>(work: (db: Database, statements: Statements) => Promise<T>): SteppedWork<T> {
    const begun = new SteppedWork(
      () => this.waitsForALock(),
      () => work(this.own, this.statements),
    );
    this.halt = begun.halt;
    this.letGo = begun.letGo;
    return begun;
  }

  /** Lets go what a test that failed has left in the middle. */
  async close(): Promise<void> {
    this.halt = () => Promise.resolve();
    this.letGo();
    await this.own.destroy();
  }

  private async waitsForALock(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity
      where application_name = ${this.name} and cardinality(pg_blocking_pids(pid)) > 0`.execute(this.watcher);
    return rows.length > 0;
  }
}

/** Use `SteppedConnection.begin`. */
export class SteppedWork<T> {
  readonly result: Promise<T>;
  private goOn: (() => void) | undefined;
  private isDone = false;
  /** Until it has halted or ended. */
  private stands = Promise.withResolvers<void>();

  constructor(
    private readonly waitsForALock: () => Promise<boolean>,
    work: () => Promise<T>,
  ) {
    const end = (): void => {
      this.isDone = true;
      this.stands.resolve();
    };
    this.result = this.halt().then(work);
    this.result.then(end, end);
  }

  readonly halt = (): Promise<void> =>
    new Promise((resolve) => {
      this.goOn = resolve;
      this.stands.resolve();
    });

  readonly letGo = (): void => this.goOn?.();

  /** Lets it go on to its next halt. @returns where it stands then */
  advance(): Promise<PendingState> {
    const { goOn } = this;
    this.goOn = undefined;
    if (!this.isDone) this.stands = Promise.withResolvers();
    goOn?.();
    return this.pendingState();
  }

  /** Where it stands, once it does. */
  pendingState(): Promise<PendingState> {
    return waitUntil(
      async (): Promise<PendingState | undefined> => {
        await Promise.race([this.stands.promise, pause(A_STATEMENT_MS)]);
        if (this.isDone) return 'done';
        if (this.goOn !== undefined) return 'paused';
        return (await this.waitsForALock()) ? 'blocked' : undefined;
      },
      { what: 'work to stand still', everyMs: 1 },
    );
  }

  /** Lets it run to its end. */
  async finish(): Promise<T> {
    for (
      let pendingState = await this.pendingState();
      pendingState !== 'done';
      pendingState = await this.advance()
    ) {
      if (pendingState === 'blocked') throw new Error('it waits for a lock that nobody gives up');
    }
    return this.result;
  }
}

/** As Kysely writes them; the second one where an isolation level is asked for. */
const BEGINNINGS = new Set<unknown>(['begin', 'start transaction isolation level repeatable read']);
const TRANSACTION_CONTROL = new Set<unknown>([...BEGINNINGS, 'commit', 'rollback']);

/**
 * Has the connection run one statement at a time and halt after each. One that is a transaction of its own halts before its
 * commit and after it.
 */
function step(client: pg.ClientBase, halt: () => Promise<void>): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new Error('a client of the driver has a function `query`');
  let inTransaction = false;
  const run = (text: unknown, values: unknown): unknown => Reflect.apply(query, client, [text, values]);
  const one = async (text: unknown, values: unknown): Promise<unknown> => {
    if (TRANSACTION_CONTROL.has(text)) {
      inTransaction = BEGINNINGS.has(text);
      return run(text, values);
    }
    const isAlone = !inTransaction;
    if (isAlone) await run('begin', []);
    try {
      const result: unknown = await run(text, values);
      await halt();
      return result;
    } finally {
      if (isAlone) {
        // Of one that failed nothing is left to commit.
        await run('commit', []);
        await halt();
      }
    }
  };
  let before: Promise<unknown> = Promise.resolve();
  Object.defineProperty(client, 'query', {
    value: (text: unknown, values: unknown): unknown => {
      const answer = before.then(() => one(text, values));
      // As `openDatabase` does: who raised an error decides what it means.
      before = answer.catch(noteConnectionFault);
      return answer;
    },
  });
}
