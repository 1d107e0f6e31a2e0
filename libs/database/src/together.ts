import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { preparedName } from './prepared.js';

// Of the driver's own interface between a client and what it runs, which its types leave out.
declare module 'pg' {
  interface Query {
    readonly name?: string;
    readonly text: string;
    handleRowDescription(message: unknown): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
    handleReadyForQuery(connection: Connection): void;
    handleError(error: Error, connection: Connection): void;
  }
  interface Connection {
    /** Names whose text has been sent and not yet been confirmed. */
    readonly submittedNamedStatements: Record<string, string>;
  }
}

export const BEGIN = CompiledQuery.raw('begin');
export const COMMIT = CompiledQuery.raw('commit');

/** One statement as it goes out: a text and its parameters. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** The server's word for what it did, and the rows, whatever they are. */
export interface Answer {
  readonly command: string;
  readonly rows: never[];
}

/** What came of a statement; one behind a statement that failed has that one's fault. */
export type Outcome = PromiseSettledResult<Answer>;

const MESSAGE = 'several statements in one message';

/** What a connection of ours, asked to execute it, answers with one `Outcome` a statement as its rows. */
export const together = (statements: readonly Statement[]): CompiledQuery =>
  CompiledQuery.raw(MESSAGE, [...statements]);

/** The statements of what `together` has made; undefined for anything else. */
export function statementsIn(text: unknown, parameters: unknown): readonly Statement[] | undefined {
  return text === MESSAGE && Array.isArray(parameters) ? parameters : undefined;
}

const done = (command: string): PromiseSettledResult<object> => ({
  status: 'fulfilled',
  value: { command, rows: [] },
});

/**
 * Sends statements in one message, which the server answers in one. It runs them in order, each with a snapshot of its
 * own, and skips the rest when one fails (PostgreSQL, "Message Flow: Pipelining"). From BEGIN to COMMIT they need
 * neither: what stands before one Sync is a transaction.
 * @returns one `Outcome` a statement, in order; never rejects
 */
export async function sendTogether(
  client: pg.Client,
  statements: readonly Statement[],
  onFault: (fault: Error) => void,
): Promise<{ rows: PromiseSettledResult<object>[] }> {
  const isWhole = statements.length > 2 && statements[0] === BEGIN && statements.at(-1) === COMMIT;
  const flight = new Flight(isWhole ? statements.slice(1, -1) : statements);
  client.query(flight);
  const fault = await flight.landed;
  if (fault !== undefined) onFault(fault);
  const outcomes = await flight.outcomes;
  if (!isWhole) return { rows: outcomes };
  const committed: PromiseSettledResult<object> =
    fault === undefined ? done('COMMIT') : { status: 'rejected', reason: fault };
  return { rows: [done('BEGIN'), ...outcomes, committed] };
}

/** What the driver takes for one query: it hands each statement's messages to that statement. */
class Flight {
  readonly outcomes: Promise<PromiseSettledResult<pg.QueryResult>[]>;
  private readonly landing = Promise.withResolvers<Error | undefined>();
  /** Resolves when all is answered: with the fault, if there was one. */
  readonly landed = this.landing.promise;
  private readonly queries: pg.Query[] = [];
  private answered = 0;

  constructor(statements: readonly Statement[]) {
    this.outcomes = Promise.allSettled(
      statements.map(({ sql, parameters }) => {
        const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
        const given = { name: preparedName(sql), text: sql, values: [...parameters] };
        const query = new pg.Query(given, (error, result) => {
          if (error) reject(error);
          else resolve(result);
        });
        // Only such a query keeps to what `submit` sends for it.
        this.queries.push(Object.assign(query, { queryMode: 'extended' }));
        return promise;
      }),
    );
  }

  /** The driver calls it too, when its time limit has passed, and puts its own in front of it. */
  callback = (fault?: Error | null): void => this.landing.resolve(fault ?? undefined);

  /** The statement that is being answered: the driver remembers under its name that it has been parsed. */
  get name(): string | undefined {
    return this.queries[this.answered]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.answered]?.text;
  }

  submit(connection: pg.Connection): void {
    const unsynced: pg.Connection = Object.create(connection, { sync: { value: () => undefined } });
    connection.stream.cork();
    for (const query of this.queries) query.submit(unsynced);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.answered]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.answered]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.queries[this.answered]?.handleCommandComplete(message, connection);
    this.answered += 1;
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection);
    this.callback();
  }

  /** Also when the connection is lost, or a limit of time has passed. */
  handleError(fault: Error, connection: pg.Connection): void {
    this.queries.forEach((query, index) => {
      if (index < this.answered) return query.handleReadyForQuery(connection);
      // It was skipped, so its text is not known to the server.
      if (query.name !== undefined) Reflect.deleteProperty(connection.submittedNamedStatements, query.name);
      query.handleError(fault, connection);
    });
    this.callback(fault);
  }
}
