import type { Outcome } from '#libs/contracts';
import { CompiledQuery } from 'kysely';
import { bigints, booleans, instants, integers, jsons, texts, uuids } from '../columns.js';
import type { Statement, Statements, Transaction } from '../connection.js';

/** The state of a delivery after an attempt. */
export type NextStep =
  | { readonly state: 'delivered' | 'dead' }
  /** The delivery stays pending. `spendsAttempt`: the attempt counts in its retry schedule. */
  | { readonly retryInMs: number; readonly spendsAttempt: boolean };

/** The result of one attempt and its consequence for the delivery, as decided by libs/policy. */
export interface AttemptResult {
  readonly consumerId: string;
  /** Number of the session that fetched the delivery: the fencing token. */
  readonly session: number;
  readonly deliveryId: string;
  /**
   * Number of the attempt within its delivery, from 1, by the fetch. It is recorded with the next free number, which is
   * another one if the delivery was ended, opened again and sent again meanwhile.
   */
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
  /** Whether the answer (410) pauses the consumer. */
  readonly pausesConsumer: boolean;
}

const RECORD: Statement = {
  name: 'record',
  text: '/* record */ select held::text[], late::text[] from record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)',
};

/** Writes a change of consumers' health, or a pause, in the transaction that records the results. */
export type AlsoWritten = (trx: Transaction, held: ReadonlySet<string>) => Promise<void>;

interface Recorded {
  /** Consumers whose session still has the number. */
  held: string[];
  /** Deliveries whose results have to be recorded alone. */
  late: string[];
}

/**
 * **record**: see the function `record_attempts`. One message, or with `also` a transaction of a few; afterwards one
 * message for each late result. Safe to repeat: a result that is recorded already changes nothing.
 * @returns the consumers whose session still has the number; nothing was written for the others
 */
export async function recordAttempts(
  pipeline: Statements,
  results: readonly AttemptResult[],
  also?: AlsoWritten,
): Promise<ReadonlySet<string>> {
  const { held, late } = await recordTogether(pipeline, results, also);
  const stillHeld = new Set(held);
  const deliveries = new Set(late);
  for (const result of results.filter(({ deliveryId }) => deliveries.has(deliveryId))) {
    // Not held any more: the session was superseded between the two messages.
    const alone = await recordTogether(pipeline, [result]);
    if (!alone.held.includes(result.consumerId)) stillHeld.delete(result.consumerId);
  }
  return stillHeld;
}

async function recordTogether(
  pipeline: Statements,
  results: readonly AttemptResult[],
  also?: AlsoWritten,
): Promise<Recorded> {
  const values = valuesOf(results);
  if (also === undefined) return only(await pipeline.query<Recorded>(RECORD, values));
  return pipeline.db.transaction().execute(async (trx) => {
    const { rows } = await trx.executeQuery<Recorded>(CompiledQuery.raw(RECORD.text, values));
    const recorded = only(rows);
    await also(trx, new Set(recorded.held));
    return recorded;
  });
}

function only([row]: readonly Recorded[]): Recorded {
  if (row === undefined) throw new Error('record_attempts always answers one row');
  return row;
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
