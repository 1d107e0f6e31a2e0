import type { Outcome } from '#libs/contracts';
import { CompiledQuery } from 'kysely';
import { bigints, booleans, instants, integers, jsons, texts, uuids } from '../columns.js';
import type { Statement, Statements, Transaction } from '../connection.js';

/** What becomes of a delivery through an attempt. */
export type NextStep =
  | { readonly state: 'delivered' | 'dead' }
  /** It stays pending; `spendsAttempt`: the attempt counts in its schedule. */
  | { readonly retryInMs: number; readonly spendsAttempt: boolean };

/** One attempt's result and what it means for the delivery, as decided by libs/policy. */
export interface AttemptResult {
  readonly consumerId: string;
  /** The number of the session that fetched it: the fence. */
  readonly session: number;
  readonly deliveryId: string;
  /** The how-manieth attempt of the delivery it is, from 1. */
  readonly number: number;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly detail: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly url: string;
  readonly credentialVersion: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly responseTruncated: boolean;
  readonly clockSkewMs: number | null;
  readonly probe: boolean;
  readonly next: NextStep;
  /** The consumer asks for a pause by this answer (410). */
  readonly pausesConsumer: boolean;
}

const RECORD: Statement = {
  name: 'record',
  text: '/* record */ select record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)::text[] as held',
};

/** What else is to be written with the results, when a consumer's health has changed or it is to be paused. */
export type AlsoWritten = (trx: Transaction, held: ReadonlySet<string>) => Promise<void>;

/**
 * **record**: see the function `record_attempts`. One message, or a transaction of a few when there is something else to
 * write with it.
 * @returns the consumers whose session still has the number; nothing was written for the others
 */
export async function recordAttempts(
  pipeline: Statements,
  results: readonly AttemptResult[],
  also?: AlsoWritten,
): Promise<ReadonlySet<string>> {
  const values = valuesOf(results);
  if (also === undefined) {
    const [row] = await pipeline.query<{ held: string[] }>(RECORD, values);
    return new Set(row?.held);
  }
  return pipeline.db.transaction().execute(async (trx) => {
    const { rows } = await trx.executeQuery<{ held: string[] }>(CompiledQuery.raw(RECORD.text, values));
    const held = new Set(rows[0]?.held);
    await also(trx, held);
    return held;
  });
}

function valuesOf(results: readonly AttemptResult[]): unknown[] {
  const json = (value: Readonly<Record<string, string>> | null): string | null =>
    value === null ? null : JSON.stringify(value);
  return [
    uuids.binary(results, (r) => r.consumerId),
    bigints.binary(results, (r) => r.session),
    uuids.binary(results, (r) => r.deliveryId),
    integers.binary(results, (r) => r.number),
    texts.binary(results, (r) => ('state' in r.next ? r.next.state : null)),
    bigints.binary(results, (r) => ('retryInMs' in r.next ? Math.round(r.next.retryInMs) : null)),
    integers.binary(results, (r) => ('retryInMs' in r.next && r.next.spendsAttempt ? 1 : 0)),
    texts.binary(results, (r) => r.outcome),
    integers.binary(results, (r) => r.httpStatus),
    texts.binary(results, (r) => r.detail),
    instants.binary(results, (r) => r.startedAt),
    integers.binary(results, (r) => Math.round(r.durationMs)),
    texts.binary(results, (r) => r.url),
    integers.binary(results, (r) => r.credentialVersion),
    jsons.binary(results, (r) => json(r.requestHeaders)),
    jsons.binary(results, (r) => json(r.responseHeaders)),
    texts.binary(results, (r) => r.responseBody),
    booleans.binary(results, (r) => r.responseTruncated),
    bigints.binary(results, (r) => (r.clockSkewMs === null ? null : Math.round(r.clockSkewMs))),
    booleans.binary(results, (r) => r.probe),
  ];
}
