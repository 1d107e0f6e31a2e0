import { randomUUID } from 'node:crypto';
import { openDatabase, type Database } from '#libs/database';
import { sql, type KyselyPlugin } from 'kysely';
import { waitUntil } from '#test/support/wait-until';

/** Where work stands: between two statements, at a lock that another transaction holds, or at its end. */
export type Standing = 'paused' | 'blocked' | 'done';

/** A connection of its own for work that a test lets through statement by statement. */
export class SteppedConnection {
  private readonly name: string;
  private readonly own: Database;

  constructor(
    databaseUrl: string,
    private readonly watcher: Database,
  ) {
    // Other test files step theirs on the same server at the same time.
    this.name = `stepped-${randomUUID()}`;
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', this.name);
    this.own = openDatabase({ url: url.href, poolSize: 1, queryTimeoutMs: 0 });
  }

  /**
   * Begins work, which halts before its first statement and after each one; a commit belongs to what follows the last
   * statement. `halt` stands for a statement where there is none, such as between a commit and what comes after it.
   */
  begin<T>(work: (db: Database, halt: () => Promise<void>) => Promise<T>): SteppedWork<T> {
    return new SteppedWork(this.own, () => this.waitsForALock(), work);
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
    db: Database,
    private readonly waitsForALock: () => Promise<boolean>,
    work: (db: Database, halt: () => Promise<void>) => Promise<T>,
  ) {
    const halt = (): Promise<void> => new Promise((resolve) => (this.goOn = resolve));
    const halting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await halt();
        return result;
      },
    };
    const end = (): void => {
      this.isDone = true;
    };
    this.result = halt().then(() => work(db.withPlugin(halting), halt));
    this.result.then(end, end);
  }

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
      { deadlineMs: 10_000, what: 'work to stand still', everyMs: 1 },
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
