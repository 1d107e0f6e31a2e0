import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Database,
  noteConnectionFault,
  ReadingDatabase,
  type Queryable,
  type Statements,
} from '#libs/database';
import { sql } from 'kysely';
import pg from 'pg';
import { statementsOver } from '#test/support/statements-over';
import { waitUntil } from '#test/support/wait-until';
import { afterEach } from 'vitest';

/** Halted before a statement or a commit, waiting for a lock of another transaction, or at its end. */
export type PendingState = 'paused' | 'blocked' | 'done';

/** A statement that takes longer may be waiting for a lock. */
const A_STATEMENT_MS = 5;

/** A connection whose work a test runs statement by statement. */
export class SteppedConnection {
  private readonly name: string;
  private readonly own: Database;
  private readonly statements: Statements;
  /** The pool of lists, stepped too. */
  readonly reading: ReadingDatabase;

  private halt: () => Promise<void> = () => Promise.resolve();
  private release: () => void = () => undefined;

  constructor(
    databaseUrl: string,
    private readonly watcher: Queryable,
  ) {
    // Other test files step theirs on the same server at the same time.
    this.name = `stepped-${randomUUID()}`;
    const pool = new pg.Pool({ connectionString: databaseUrl, application_name: this.name, max: 1 });
    // A broken connection fails the statement that is under way. Without a listener the process would end.
    pool.on('connect', (client) => {
      client.on('error', () => undefined);
      step(client, () => this.halt());
    });
    pool.on('error', () => undefined);
    this.own = new Database(pool);
    this.reading = new ReadingDatabase(pool);
    this.statements = statementsOver(this.own);
  }

  /**
   * Begins work, which halts before each statement and before each commit. A statement outside a transaction is run in a
   * transaction of its own, so that it has two steps: the statement and the commit.
   */
  begin<T>(work: (db: Database, statements: Statements) => Promise<T>): SteppedWork<T> {
    const begun = new SteppedWork(
      () => this.waitsForLock(),
      () => work(this.own, this.statements),
    );
    this.halt = begun.halt;
    this.release = begun.release;
    return begun;
  }

  /** Lets work that a failed test has left halted run to its end. */
  async close(): Promise<void> {
    this.halt = () => Promise.resolve();
    this.release();
    await this.own.destroy();
  }

  private async waitsForLock(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity
      where application_name = ${this.name} and cardinality(pg_blocking_pids(pid)) > 0`.execute(this.watcher);
    return rows.length > 0;
  }
}

/** A file's stepped connections. Each test gets new ones: one that fails leaves its own in the middle of something. */
export function steppedConnections(databaseUrl: string, watcher: Queryable) {
  const make = () => new SteppedConnection(databaseUrl, watcher);
  const connections = { one: make(), two: make(), three: make() };
  afterEach(async () => {
    await Promise.all(Object.values(connections).map((connection) => connection.close()));
    Object.assign(connections, { one: make(), two: make(), three: make() });
  });
  return connections;
}

/** Use `SteppedConnection.begin`. */
export class SteppedWork<T> {
  readonly result: Promise<T>;
  private goOn: (() => void) | undefined;
  private isDone = false;
  /** Resolves when it has halted or ended. */
  private rest = Promise.withResolvers<void>();

  constructor(
    private readonly waitsForLock: () => Promise<boolean>,
    work: () => Promise<T>,
  ) {
    const end = (): void => {
      this.isDone = true;
      this.rest.resolve();
    };
    this.result = Promise.resolve().then(work);
    this.result.then(end, end);
  }

  readonly halt = (): Promise<void> =>
    new Promise((resolve) => {
      this.goOn = resolve;
      this.rest.resolve();
    });

  readonly release = (): void => this.goOn?.();

  /** Runs its next step. @returns its state afterwards */
  advance(): Promise<PendingState> {
    const { goOn } = this;
    this.goOn = undefined;
    if (!this.isDone) this.rest = Promise.withResolvers();
    goOn?.();
    return this.pendingState();
  }

  /** Its state, once it has halted, ended or waits for a lock. */
  pendingState(): Promise<PendingState> {
    return waitUntil(
      async (): Promise<PendingState | undefined> => {
        await Promise.race([this.rest.promise, pause(A_STATEMENT_MS)]);
        if (this.isDone) return 'done';
        if (this.goOn !== undefined) return 'paused';
        return (await this.waitsForLock()) ? 'blocked' : undefined;
      },
      { what: 'a statement to be answered or to wait for a lock', everyMs: 1 },
    );
  }

  /** Runs it to its end. */
  async finish(): Promise<T> {
    for (
      let pendingState = await this.pendingState();
      pendingState !== 'done';
      pendingState = await this.advance()
    ) {
      if (pendingState === 'blocked') throw new Error('It waits for a lock that no other work will release.');
    }
    return this.result;
  }
}

/** As Kysely writes them; the second one where an isolation level is asked for. */
const BEGINNINGS = new Set(['begin', 'start transaction isolation level repeatable read']);

/**
 * Has the connection halt before each statement and each commit. A statement outside a transaction gets one of its own,
 * so that it halts before its commit too.
 */
function step(client: pg.ClientBase, halt: () => Promise<void>): void {
  const run = client.query.bind(client);
  let inTransaction = false;
  const one = async (text: string, values: unknown[]): Promise<unknown> => {
    if (BEGINNINGS.has(text) || text === 'rollback') {
      inTransaction = text !== 'rollback';
      return run(text, values);
    }
    await halt();
    if (text === 'commit') inTransaction = false;
    if (inTransaction || text === 'commit') return run(text, values);
    await run('begin');
    try {
      const result = await run(text, values);
      await halt();
      return result;
    } finally {
      // After an error PostgreSQL answers it with a rollback.
      await run('commit');
    }
  };
  let before: Promise<unknown> = Promise.resolve();
  Object.defineProperty(client, 'query', {
    value: (text: string, values: unknown[]): unknown => {
      const answer = before.then(() => one(text, values));
      // As `openDatabase` does: errors of a connection are marked.
      before = answer.catch(noteConnectionFault);
      return answer;
    },
  });
}
