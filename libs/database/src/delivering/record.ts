import type { Outcome } from '#libs/contracts';
import type { GateReason } from '#libs/delivery';
import { sql } from 'kysely';
import { bigints, booleans, instants, integers, jsons, texts, uuids } from '../columns.js';
import type { Database } from '../connection.js';
import { pipelined } from '../pipelined.js';
import { lookedUp } from '../by-primary-key.js';
import { prepared } from '../prepared.js';
import type { Transition } from '../gates/health.js';
import { pauseByAnswer } from '../gates/pause.js';
import { intoHistory } from './into-history.js';
import { releaseNextInLane, releaseNextOnce, type Lane, type Released } from './release-next-in-lane.js';

/** What becomes of a delivery through an attempt. */
export type NextStep =
  | { readonly state: 'delivered' | 'dead' }
  | { readonly retryInMs: number }
  /** It waits at its consumer's gate; the attempt counts in its schedule, or it asked about the consumer only. */
  | { readonly hold: GateReason; readonly spendsAttempt: boolean };

/** One attempt's result and what it means for the delivery, as decided by libs/delivery. */
export interface AttemptResult {
  readonly deliveryId: string;
  readonly lease: number;
  /** Null: it belongs to no payment. */
  readonly lane: Lane | null;
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
  readonly next: NextStep;
}

export interface Recorded {
  /** False: the lease was no longer the caller's, another worker has it, and nothing was changed. */
  readonly recorded: boolean;
  /** Deliveries that waited for this one and may be sent now. */
  readonly released: readonly Released[];
  /** It has paused its consumer. */
  readonly paused: Transition | undefined;
}

/**
 * **record**: the attempt's row, the delivery's new state and the release of the next in its lane, in one
 * transaction; an answer that pauses its consumer pauses it in the same. Fenced: only the lease that is still in force
 * is recorded, so a late or doubled worker changes nothing, and attempt numbers have neither a gap nor a double.
 *
 * The lanes come with the results, so that nothing is waited for between the statements. What is next in a lane may go
 * whoever asks, so a result that is not recorded asks in vain or rightly.
 * @returns one answer a result, in order
 */
export async function record(db: Database, results: readonly AttemptResult[]): Promise<Recorded[]> {
  const lanes = results.flatMap(({ next, lane }) => ('state' in next && lane !== null ? [lane] : []));
  const done = await pipelined(db, async (trx, commit) => {
    const writing = writeResults(trx, results);
    const releasing = releaseNextOnce(trx, lanes);
    if (!results.some(asksForPause)) commit();
    const [rows, next] = await Promise.all([writing, releasing]);
    const written = new Map(rows.map((row) => [row.id, row.consumer_id]));
    return { written, next, paused: await pauseByAnswer(trx, whoAskedForPause(results, written)) };
  });
  const released = [
    ...done.next.released,
    ...(done.next.isSettled ? [] : await releaseNextInLane(db, lanes)),
  ];
  const paused = new Map(done.paused.map((p) => [p.consumerId, p]));
  return results.map((result) => {
    const consumerId = done.written.get(result.deliveryId);
    const pause = consumerId === undefined ? undefined : paused.get(consumerId);
    // Told once, however many of a batch were answered so.
    if (pause !== undefined) paused.delete(pause.consumerId);
    return {
      recorded: consumerId !== undefined,
      released: released.filter((r) => 'state' in result.next && isSameLane(r, result.lane)),
      paused: pause,
    };
  });
}

const asksForPause = ({ next }: AttemptResult): boolean => 'hold' in next && next.hold === 'paused';

/** @param written consumers by the deliveries that were recorded */
const whoAskedForPause = (
  results: readonly AttemptResult[],
  written: ReadonlyMap<string, string>,
): string[] => results.filter(asksForPause).flatMap(({ deliveryId }) => written.get(deliveryId) ?? []);

const isSameLane = (released: Lane, lane: Lane | null): boolean =>
  released.consumerId === lane?.consumerId &&
  released.eventType === lane.eventType &&
  released.paymentId === lane.paymentId;

const HISTORY = intoHistory(sql`fenced f where f.final_state is not null`, {
  state: sql`f.final_state`,
  endReason: sql`case f.final_state when 'delivered' then 'acknowledged' else 'schedule_used_up' end`,
  attempts: sql`f.attempts + 1`,
  lastOutcome: sql`f.outcome`,
  lastHttpStatus: sql`f.http_status`,
});

/**
 * Each result finds its row, and the rows are locked one by one in the order of their lanes; everything is written from
 * what that has read, since a join with a list of unknown length may be planned as a loop over the list for each row. The
 * fence does not name the state that it asks for: the index of all that is being sent would be read for each result
 * instead of the primary key.
 */
async function writeResults(
  trx: Database,
  results: readonly AttemptResult[],
): Promise<{ id: string; consumer_id: string }[]> {
  const json = (value: Readonly<Record<string, string>> | null): string | null =>
    value === null ? null : JSON.stringify(value);
  const { rows } = await sql<{ id: string; consumer_id: string }>`
    ${prepared('record-write')}
    with input as (
      select * from unnest(
        ${uuids(results, (r) => r.deliveryId)}, ${integers(results, (r) => r.lease)},
        ${texts(results, (r) => ('state' in r.next ? r.next.state : null))},
        ${texts(results, (r) => ('hold' in r.next ? r.next.hold : null))},
        ${integers(results, (r) => ('hold' in r.next && !r.next.spendsAttempt ? 0 : 1))},
        ${bigints(results, (r) => ('retryInMs' in r.next ? Math.round(r.next.retryInMs) : 0))},
        ${texts(results, (r) => r.outcome)}, ${integers(results, (r) => r.httpStatus)},
        ${texts(results, (r) => r.detail)},
        ${instants(results, (r) => r.startedAt)},
        ${integers(results, (r) => Math.round(r.durationMs))}, ${texts(results, (r) => r.url)},
        ${integers(results, (r) => r.credentialVersion)},
        ${jsons(results, (r) => json(r.requestHeaders))},
        ${jsons(results, (r) => json(r.responseHeaders))},
        ${texts(results, (r) => r.responseBody)}, ${booleans(results, (r) => r.responseTruncated)},
        ${bigints(results, (r) => (r.clockSkewMs === null ? null : Math.round(r.clockSkewMs)))}
      ) as i (id, lease, final_state, next_hold, spends, retry_in_ms, outcome, http_status, detail,
              started_at, duration_ms, url, credential_version, request_headers, response_headers, response_body,
              response_truncated, clock_skew_ms)
    ),
    found as materialized (
      select i.*, d.consumer_id, d.event_type, d.payment_id, d.number
      from input i join open_deliveries d on ${lookedUp('d.id', 'i.id')}
    ),
    fenced as materialized (
      select d.*, f.final_state, f.next_hold, f.spends, f.retry_in_ms, f.outcome, f.http_status, f.detail,
             f.started_at, f.duration_ms, f.url, f.credential_version, f.request_headers, f.response_headers,
             f.response_body, f.response_truncated, f.clock_skew_ms
      from (select * from found order by consumer_id, event_type, payment_id, number, id) f
      cross join lateral (
        select * from open_deliveries d
        where d.id = f.id and d.lease = f.lease and d.state not in ('queued', 'held') for update
      ) d
    ),
    attempt as (
      insert into attempts (delivery_id, failed_consumer_id, number, started_at, duration_ms, outcome, http_status, detail, url,
                            credential_version, request_headers, response_headers, response_body, response_truncated,
                            clock_skew_ms, lease, probe)
      select id, case when outcome <> 'acknowledged' then consumer_id end, attempts + 1, started_at, duration_ms, outcome, http_status, detail, url,
             credential_version, request_headers, response_headers, response_body, response_truncated,
             clock_skew_ms, lease, probe
      from fenced
    ),
    kept as (
      update open_deliveries d
      set state = case when f.next_hold is null then 'queued' else 'held' end, hold_reason = f.next_hold,
          held_since = case when f.next_hold is null then null when f.spends = 1 then now()
            else coalesce(f.held_since, now()) end,
          lease_until = null, probe = false, attempts = f.attempts + 1, schedule_step = f.schedule_step + f.spends,
          round = f.round + 1,
          next_attempt_at = now() + f.retry_in_ms * interval '1 millisecond',
          last_outcome = f.outcome, last_http_status = f.http_status
      from fenced f
      where ${lookedUp('d.id', 'f.id')} and f.final_state is null
    ),
    removed as (
      delete from open_deliveries d using fenced f
      where ${lookedUp('d.id', 'f.id')} and f.final_state is not null
    ),
    history as (
      ${HISTORY}
    )
    select id, consumer_id from fenced`.execute(trx);
  return rows;
}
