import { randomUUID } from 'node:crypto';
import { noteConnectionFault, statementsIn, type Database, type Statement } from '#libs/database';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { waitUntil } from '#test/support/wait-until';

/** Where work stands: between two statements, at a lock that another transaction holds, or at its end. */
export type Standing = 'paused' | 'blocked' | 'done';

/** A connection of its own for work that a test lets through statement by statement. */
export class SteppedConnection {
  private readonly name: string;
  private readonly own: Database;

  private halt: () => Promise<void> = () => Promise.resolve();

  constructor(
    databaseUrl: string,
    private readonly watcher: Database,
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
    this.own = new Kysely({ dialect: new PostgresDialect({ pool }) });
  }

  /**
   * Begins work, which halts before its first statement and after each one; a commit belongs to what follows the last
   * statement. Statements that are started together go one after the other here, so that every moment at which the
   * server could be between them is a halt. `halt` stands for a statement where there is none, such as between a commit
   * and what comes after it.
   */
  begin<T>(work: (db: Database, halt: () => Promise<void>) => Promise<T>): SteppedWork<T> {
    const begun = new SteppedWork(
      () => this.waitsForALock(),
      (halt) => work(this.own, halt),
    );
    this.halt = begun.halt;
    return begun;
  }

  async close(): Promise<void> {
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

  constructor(
    private readonly waitsForALock: () => Promise<boolean>,
    work: (halt: () => Promise<void>) => Promise<T>,
  ) {
    const end = (): void => {
      this.isDone = true;
    };
    this.result = this.halt().then(() => work(this.halt));
    this.result.then(end, end);
  }

  readonly halt = (): Promise<void> => new Promise((resolve) => (this.goOn = resolve));

  /** Lets it go on to its next halt. @returns where it stands then */
  advance(): Promise<Standing> {
    const { goOn } = this;
    this.goOn = undefined;
    goOn?.();
    return this.standing();
  }

  /** Where it stands, once it does. */
  standing(): Promise<Standing> {
    return waitUntil(
      async (): Promise<Standing | undefined> => {
        if (this.isDone) return 'done';
        if (this.goOn !== undefined) return 'paused';
        return (await this.waitsForALock()) ? 'blocked' : undefined;
      },
      { what: 'work to stand still', everyMs: 1 },
    );
  }

  /** Lets it run to its end. */
  async finish(): Promise<T> {
    for (let standing = await this.standing(); standing !== 'done'; standing = await this.advance()) {
      if (standing === 'blocked') throw new Error('it waits for a lock that nobody gives up');
    }
    return this.result;
  }
}

/** As Kysely writes them; the second one where an isolation level is asked for. */
const BEGINNINGS = new Set<unknown>(['begin', 'start transaction isolation level repeatable read']);
const TRANSACTION_CONTROL = new Set<unknown>([...BEGINNINGS, 'commit', 'rollback']);

/**
 * Has the connection run one statement at a time and halt after each, also those that come in one message. One that is a
 * transaction of its own halts before its commit and after it.
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
  const each = async (statements: readonly Statement[]): Promise<unknown> => {
    const rows: PromiseSettledResult<unknown>[] = [];
    for (const { sql: text, parameters } of statements) {
      const failed = rows.find((row) => row.status === 'rejected');
      rows.push(failed ?? (await Promise.allSettled([one(text, parameters)]))[0]);
    }
    return { rows };
  };
  let before: Promise<unknown> = Promise.resolve();
  Object.defineProperty(client, 'query', {
    value: (text: unknown, values: unknown): unknown => {
      const statements = statementsIn(text, values);
      const answer = before.then(() => (statements === undefined ? one(text, values) : each(statements)));
      // As `openDatabase` does: who raised an error decides what it means.
      before = answer.catch(noteConnectionFault);
      return answer;
    },
  });
}
