import type { AttemptRow, DeliveryRow, Evidence, History } from '#test/chaos/evidence';
import { deliveryKey, type Arrival } from '#test/chaos/observations';

/**
 * To be executed between the migration and the start of the processes. The product stores only the session in force, and a
 * hold only until it ends, so triggers record each of them.
 */
export const RECORD_SESSIONS = `
  create schema chaos;
  create table chaos.openings (
    consumer_id uuid not null, session bigint not null, opened_at timestamptz not null default clock_timestamp());
  create function chaos.record_opening() returns trigger language plpgsql as $$
  begin
    insert into chaos.openings (consumer_id, session) values (new.consumer_id, new.session);
    return null;
  end $$;
  create trigger chaos_record_opening after update of session on consumer_runtime
    for each row when (new.session <> old.session) execute function chaos.record_opening();
  create table chaos.holds (delivery_id uuid not null, held_at timestamptz not null default clock_timestamp());
  create function chaos.record_hold() returns trigger language plpgsql as $$
  begin
    insert into chaos.holds (delivery_id) values (new.id);
    return null;
  end $$;
  create trigger chaos_record_hold after update of held_session on pending_deliveries
    for each row when (new.held_session is not null) execute function chaos.record_hold()`;

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

/** Executes SQL: the chaos environment. */
interface SqlSource {
  query<Row extends object>(text: string): Promise<Row[]>;
  countPending(): Promise<number>;
}

export async function readHistory(environment: SqlSource): Promise<History> {
  const events = await environment.query<{ id: string; body: string }>('select id, body from events');
  const attempts = await environment.query<AttemptRow>(
    `select delivery_id, number, outcome, ${ms('started_at')} as started_ms, duration_ms,
            ${ms('pg_xact_commit_timestamp(xmin)')} as recorded_ms
     from attempts order by delivery_id, number`,
  );
  return {
    deliveries: await environment.query(
      'select id, event_id, consumer_id, state, attempts from deliveries order by id',
    ),
    attempts: attempts.map(atRightTime),
    openings: await environment.query(
      `select consumer_id, session::int, ${ms('opened_at')} as opened_ms from chaos.openings order by opened_at`,
    ),
    holds: await environment.query(`select delivery_id, ${ms('held_at')} as held_ms from chaos.holds`),
    pending: await environment.countPending(),
    bodies: new Map(events.map((event) => [event.id, event.body])),
  };
}

const HOUR_MS = 3_600_000;

/** An attempt starts by its worker's clock, which a fault may have moved by an hour; its record is by PostgreSQL's. */
const atRightTime = (attempt: AttemptRow): AttemptRow => ({
  ...attempt,
  started_ms: attempt.started_ms + Math.round((attempt.recorded_ms - attempt.started_ms) / HOUR_MS) * HOUR_MS,
});

/** Contradictions within the rows, and between them and the accepted events and the arrivals. */
export function historyFaults(evidence: Evidence): string[] {
  const { history, arrivals, steady } = evidence;
  const attemptsOf = Map.groupBy(history.attempts, (attempt) => attempt.delivery_id);
  const openingsOf = Map.groupBy(history.openings, (opening) => opening.consumer_id);
  const holdsOf = Map.groupBy(history.holds, (hold) => hold.delivery_id);
  const arrivalsOf = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  return [
    ...(history.pending === 0 ? [] : [`${history.pending} deliveries are still pending`]),
    ...rowFaults(evidence),
    ...history.deliveries.flatMap((delivery) => {
      const attempts = attemptsOf.get(delivery.id) ?? [];
      const openings = openingsOf.get(delivery.consumer_id) ?? [];
      const holds = holdsOf.get(delivery.id) ?? [];
      const arrived = arrivalsOf.get(deliveryKey(delivery.event_id, delivery.consumer_id)) ?? [];
      return [
        ...attemptFaults(delivery, attempts),
        ...attempts.flatMap((attempt) => [
          ...fenceFaults(attempt, openings, holds),
          ...arrivalFaults(attempt, arrived),
          ...(steady.has(delivery.consumer_id) ? spentFaults(attempt, evidence) : []),
        ]),
      ].map((fault) => `delivery ${delivery.id}: ${fault}`);
    }),
  ];
}

/** Each expected delivery has one row, and each row was expected. */
function rowFaults({ history, accepted }: Evidence): string[] {
  const rows = Map.groupBy(history.deliveries, (d) => deliveryKey(d.event_id, d.consumer_id));
  const keys = new Set(accepted.flatMap((e) => e.consumers.map((c) => deliveryKey(e.notificationId, c))));
  return [
    ...[...keys].filter((key) => !rows.has(key)).map((key) => `${key} is accepted and not in the history`),
    ...[...rows].flatMap(([key, found]) => [
      ...(keys.has(key) ? [] : [`${key} is in the history and was not accepted`]),
      ...(found.length === 1 ? [] : [`${key} has ${found.length} rows in the history`]),
    ]),
  ];
}

function attemptFaults(delivery: DeliveryRow, attempts: readonly AttemptRow[]): string[] {
  const numbers = attempts.map((attempt) => attempt.number);
  const acknowledged = attempts.filter((a) => a.outcome === 'acknowledged').map((a) => a.number);
  const expected = delivery.state === 'delivered' ? [attempts.length] : [];
  return [
    ...(numbers.some((number, index) => number !== index + 1) ? [`attempts ${numbers.join()}`] : []),
    ...(numbers.length === delivery.attempts
      ? []
      : [`${numbers.length} attempts are recorded and ${delivery.attempts} counted`]),
    ...(acknowledged.join() === expected.join()
      ? []
      : [`${delivery.state} with attempt ${acknowledged.join()} of ${attempts.length} acknowledged`]),
  ];
}

/** Clocks are truncated to milliseconds. */
const CLOCK_RESOLUTION_MS = 2;

/**
 * A session's right to deliver ends when another session of the consumer is opened: a request in flight may arrive and must
 * not be recorded, unless the session held it when it was left. So no session is opened between an attempt's start and the
 * commit of its record. This is exact: record and open lock the same row, and all clocks are this machine's.
 */
function fenceFaults(
  { number, started_ms: startedMs, recorded_ms: recordedMs }: AttemptRow,
  openings: History['openings'],
  holds: History['holds'],
): string[] {
  if (holds.some(({ held_ms: at }) => at > startedMs - CLOCK_RESOLUTION_MS && at < recordedMs)) return [];
  return openings
    .filter(({ opened_ms: at }) => at > startedMs + CLOCK_RESOLUTION_MS && at < recordedMs)
    .map(({ session, opened_ms: at }) => {
      const afterMs = Math.round(at - startedMs);
      return `attempt ${number} was recorded although session ${session} had been opened ${afterMs} ms after its start`;
    });
}

const ANSWERED = new Set(['acknowledged', 'http_status']);

/** The POST of an answered attempt arrived at the consumer during the attempt. */
function arrivalFaults(attempt: AttemptRow, arrived: readonly Arrival[]): string[] {
  const { number, outcome, started_ms: fromMs, duration_ms: forMs } = attempt;
  if (!ANSWERED.has(outcome)) return [];
  const hasArrived = arrived.some(
    ({ beganAtMs }) =>
      beganAtMs >= fromMs - CLOCK_RESOLUTION_MS && beganAtMs <= fromMs + forMs + CLOCK_RESOLUTION_MS,
  );
  return hasArrived ? [] : [`attempt ${number} was answered, but no POST arrived during it`];
}

/**
 * A failed attempt at a consumer that never fails is an internal error that was charged to the consumer, unless it timed
 * out, as requests of a suspended worker do, or was refused for the wrong time of its signature.
 */
function spentFaults({ number, outcome, started_ms: atMs }: AttemptRow, evidence: Evidence): string[] {
  if (outcome === 'acknowledged' || outcome === 'timeout') return [];
  return outcome === 'http_status' && signsWrongTimeAt(atMs, evidence)
    ? []
    : [`attempt ${number} failed with ${outcome} at a consumer that never fails`];
}

/** What was signed with the wrong time arrives, and fails, within this time. */
const AFTER_JUMP_MS = 1_000;

/** Whether a worker's clock is wrong at this time, so that consumers rightly refuse what it signs. */
export const signsWrongTimeAt = (atMs: number, { faults }: Pick<Evidence, 'faults'>): boolean =>
  faults.some(
    ({ signsWrongTime = false, beganAtMs, endedAtMs }) =>
      signsWrongTime && atMs >= beganAtMs && atMs <= endedAtMs + AFTER_JUMP_MS,
  );
