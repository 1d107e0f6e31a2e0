import type { Queryable, Statement, Statements } from '#libs/database';
import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';

/** The statements of accept, fetch and record over any connections. */
export const statementsOver = (queryable: Queryable): Statements => ({
  db: queryable,
  query: async <Row extends QueryResultRow>({ text }: Statement, values: readonly unknown[]) =>
    (await queryable.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
});
