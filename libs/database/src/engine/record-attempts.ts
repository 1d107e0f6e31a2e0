import type { Outcome } from '#libs/contracts';
import { CompiledQuery, sql } from 'kysely';
import { bigints, booleans, instants, integers, jsons, texts, uuids } from '../connection/columns.js';
import type { Queryable, Statement, Statements, Transaction } from '../connection/connection.js';

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
  /** The delivery's step in the retry schedule from which `next` was decided. */
  readonly scheduleStep: number;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly detail: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly url: string;
  readonly remoteAddress: string | null;
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
  text: '/* record */ select held::text[], late::text[], fenced::text[], released::text[] from record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)',
};

/** New counts of a consumer's failures, of one whose circuit does not change. Times are relative to now. */
export interface HealthCounts {
  readonly consumerId: string;
  readonly failures: number;
  readonly failedDeliveries: readonly string[];
  /** The run of failures began before; its time stays as PostgreSQL has it. */
  readonly isSameRun: boolean;
  readonly failingForMs: number | null;
  /** Null: unchanged. */
  readonly succeededMsAgo: number | null;
}

/** Written in the transaction that records the results. `held`: consumers whose session still has its number. */
type AlsoWritten = (trx: Transaction, recorded: Pick<Recorded, 'held' | 'fenced'>) => Promise<void>;

/** The consequences of a batch for its consumers. */
interface AlsoRecorded {
  /** Written in the same message. */
  readonly counts?: readonly HealthCounts[];
  /** Rare changes, for which the batch becomes a transaction of several messages. */
  readonly also?: AlsoWritten | undefined;
}

interface Recorded {
  /** Consumers whose session still has the number. */
  readonly held: ReadonlySet<string>;
  /** Deliveries of which nothing was written: another session has them. */
  readonly fenced: ReadonlySet<string>;
  /** Consumers with a next status of a payment that became due. */
  readonly released: ReadonlySet<string>;
}

/**
 * **record**: see the function `record_attempts`. One message, or with `also` a transaction of a few; afterwards one
 * message for each late result. Safe to repeat: a result that is recorded already changes nothing.
 */
export async function recordAttempts(
  pipeline: Statements,
  results: readonly AttemptResult[],
  consequences: AlsoRecorded = {},
): Promise<Recorded> {
  const answer = await recordTogether(pipeline, results, consequences);
  const held = new Set(answer.held);
  const fenced = new Set(answer.fenced);
  const released = new Set(answer.released);
  const late = new Set(answer.late);
  for (const result of results.filter(({ deliveryId }) => late.has(deliveryId))) {
    const alone = await recordTogether(pipeline, [result], {});
    for (const id of alone.fenced) fenced.add(id);
    for (const id of alone.released) released.add(id);
    // Superseded between the two messages.
    if (!alone.held.includes(result.consumerId)) held.delete(result.consumerId);
  }
  return { held, fenced, released };
}

interface Answer {
  held: string[];
  /** Deliveries whose results have to be recorded alone. */
  late: string[];
  fenced: string[];
  released: string[];
}

async function recordTogether(
  pipeline: Statements,
  results: readonly AttemptResult[],
  { counts = [], also }: AlsoRecorded,
): Promise<Answer> {
  const values = [...valuesOf(results), counts.length === 0 ? null : JSON.stringify(counts)];
  if (also === undefined) return only(await pipeline.query<Answer>(RECORD, values));
  return pipeline.db.transaction().execute(async (trx) => {
    const { rows } = await trx.executeQuery<Answer>(CompiledQuery.raw(RECORD.text, values));
    const answer = only(rows);
    await also(trx, { held: new Set(answer.held), fenced: new Set(answer.fenced) });
    return answer;
  });
}

function only([row]: readonly Answer[]): Answer {
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
    integers.binary(results, (r) => r.scheduleStep),
    texts.binary(results, (r) => ('state' in r.next ? r.next.state : null)),
    bigints.binary(results, (r) => ('retryInMs' in r.next ? Math.round(r.next.retryInMs) : null)),
    integers.binary(results, (r) => ('retryInMs' in r.next && r.next.spendsAttempt ? 1 : 0)),
    texts.binary(results, (r) => r.outcome),
    integers.binary(results, (r) => r.httpStatus),
    texts.binary(results, (r) => r.detail),
    instants.binary(results, (r) => r.startedAt),
    integers.binary(results, (r) => Math.round(r.durationMs)),
    texts.binary(results, (r) => r.url),
    texts.binary(results, (r) => r.remoteAddress),
    integers.binary(results, (r) => r.credentialVersion),
    jsons.binary(results, (r) => json(r.requestHeaders)),
    jsons.binary(results, (r) => json(r.responseHeaders)),
    texts.binary(results, (r) => r.responseBody),
    booleans.binary(results, (r) => r.responseTruncated),
    bigints.binary(results, (r) => (r.clockSkewMs === null ? null : Math.round(r.clockSkewMs))),
    booleans.binary(results, (r) => r.probe),
  ];
}

/** A delivery that was sent, and whose attempt PostgreSQL refuses to record. */
export interface Unrecorded {
  readonly deliveryId: string;
  readonly consumerId: string;
  readonly session: number;
}

/**
 * Holds a delivery whose attempt cannot be recorded, so that it is not sent again: until its session records it, an
 * operator retries it, or it has been pending for too long. Does nothing if the session was replaced.
 */
export async function holdUnrecorded(
  db: Queryable,
  { deliveryId, consumerId, session }: Unrecorded,
): Promise<void> {
  await sql`
    update pending_deliveries p
    set held_session = ${session}::bigint, record_refused_at = now(), next_attempt_at = now() + interval '14 days'
    where p.id = ${deliveryId}
      and (p.held_session = ${session}::bigint
           or exists (select from consumer_runtime r where r.consumer_id = ${consumerId} and r.session = ${session}::bigint))`.execute(
    db,
  );
}
