import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { RefusedError, UnavailableError, type Producer, type StatusChange } from '#packages/client';

export interface RelayOptions {
  /** A connection of its own: it holds the relay's lock. */
  readonly database: Client;
  readonly producer: Producer;
  /** Ends the relay; a post without an answer is repeated at the next start. */
  readonly signal: AbortSignal;
  /** Writes one structured line. */
  readonly log: (event: string, fields: object) => void;
}

interface Row {
  readonly id: string;
  readonly event: StatusChange;
}

/** How long to wait when there is nothing to post, in ms. */
const IDLE_MS = 200;
/** How long to wait after an outage, or a refusal of all requests, in ms. */
const OUTAGE_MS = 2_000;
/** How often sent rows are deleted, in ms. */
const CLEAN_MS = 60 * 60_000;

/**
 * The earliest unsent row of each payment. Later rows wait for its answer, since the order of acceptance is the order of
 * delivery, and a refused row holds its payment until a person has decided.
 */
const NEXT = `
  select id, event from outbox as candidate
   where sent_at is null and refused_at is null
     and not exists (select from outbox as earlier
                      where earlier.payment = candidate.payment
                        and earlier.position < candidate.position and earlier.sent_at is null)
   order by position
   limit 500`; // the largest batch of the api

/** An acceptance counts more than an earlier refusal, which a relay that was superseded may have stored meanwhile. */
const MARK_SENT = `
  update outbox set sent_at = now(), notification_id = answer.notification_id, refused_at = null, refusal = null
    from unnest($1::uuid[], $2::uuid[]) as answer (id, notification_id)
   where outbox.id = answer.id`;

const SET_ASIDE = `
  update outbox set refused_at = now(), refusal = answer.refusal
    from unnest($1::uuid[], $2::text[]) as answer (id, refusal)
   where outbox.id = answer.id and sent_at is null`;

/** In small transactions, so that the deletion of a large backlog holds up nothing. */
const CLEAN = `
  delete from outbox where id in
    (select id from outbox where sent_at < now() - interval '7 days' limit 1000)`;

/** Posts the rows of the outbox until the signal ends it. @throws when PostgreSQL fails; a supervisor starts it again */
export async function runRelay(options: RelayOptions): Promise<void> {
  const { database, signal, log } = options;
  if (!(await getTurn(options))) return;
  log('outbox.relaying', {});
  let cleanedAtMs = 0;
  while (!signal.aborted) {
    if (Date.now() - cleanedAtMs > CLEAN_MS) {
      const deleted = await clean(database);
      cleanedAtMs = Date.now();
      log('outbox.cleaned', { deleted });
    }
    const { sent, undecided } = await postNext(options);
    if (undecided > 0) await idle(OUTAGE_MS, signal);
    else if (sent === 0) await idle(IDLE_MS, signal);
  }
}

/**
 * Waits for the relay's lock, which ends with the connection: one relay posts, others are ready to continue. Two would
 * make no second event, since both post a row under the same key, but twice the work.
 * @returns false when the signal came first
 */
async function getTurn({ database, signal, log }: RelayOptions): Promise<boolean> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const { rows } = await database.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('outbox.relay'), 0) as locked",
    );
    if (rows[0]?.locked === true) return true;
    if (isFirst) log('outbox.standby', {});
    await idle(IDLE_MS, signal);
  }
  return false;
}

/** Posts the next event of each payment, and stores the answers. No transaction is open while it waits for them. */
async function postNext({ database, producer, signal, log }: RelayOptions) {
  const { rows } = await database.query<Row>(NEXT);
  const sent: [id: string, notificationId: string][] = [];
  const refused: [id: string, refusal: string][] = [];
  let undecided = 0;
  let reason: string | undefined;
  await Promise.all(
    rows.map(async ({ id, event }) => {
      try {
        const { notificationId } = await producer.post(event, { idempotencyKey: id, signal });
        sent.push([id, notificationId]);
      } catch (error) {
        if (error instanceof RefusedError && error.scope === 'event') refused.push([id, error.message]);
        else if (error instanceof RefusedError || error instanceof UnavailableError) {
          undecided += 1;
          reason = error.message;
        } else throw error;
      }
    }),
  );
  if (sent.length > 0) await database.query(MARK_SENT, columnsOf(sent));
  if (refused.length > 0) await database.query(SET_ASIDE, columnsOf(refused));
  for (const [id, refusal] of refused) log('outbox.refused', { id, refusal });
  if (rows.length > 0)
    log('outbox.posted', { sent: sent.length, refused: refused.length, undecided, reason });
  return { sent: sent.length, undecided };
}

async function clean(database: Client): Promise<number> {
  for (let deleted = 0; ;) {
    const { rowCount } = await database.query(CLEAN);
    deleted += rowCount ?? 0;
    if (rowCount !== 1_000) return deleted;
  }
}

const columnsOf = (pairs: readonly (readonly [string, string])[]): [string[], string[]] => [
  pairs.map(([id]) => id),
  pairs.map(([, value]) => value),
];

/** Waits, and not longer than the signal permits. */
const idle = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
