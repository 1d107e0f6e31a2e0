import { HOUR_MS } from '#test/chaos/clocks';
import type { RecordedAttempt } from '#test/chaos/duplicates';
import { deliveryKey, type Arrival, type FaultDone, type AcceptedEvent } from '#test/chaos/observations';
import { readHolds, readOpenings, type Hold, type SessionOpening } from '#test/chaos/session-openings';
import type { ChaosEnvironment } from '#test/chaos/chaos-environment';

/** PostgreSQL's rows at the end of a run. */
export interface History {
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  readonly openings: readonly SessionOpening[];
  readonly holds: readonly Hold[];
  /** Deliveries that are still pending. */
  readonly pending: number;
  /** `events.body` by notification. */
  readonly bodies: ReadonlyMap<string, string>;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly state: string;
  readonly attempts: number;
}

/** Times are in milliseconds since 1970. */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly number: number;
  readonly outcome: string;
  readonly started_ms: number;
  readonly duration_ms: number;
  /** When its record was committed. */
  readonly recorded_ms: number;
}

export async function readHistory(environment: ChaosEnvironment): Promise<History> {
  const events = await environment.query<{ id: string; body: string }>('select id, body from events');
  return {
    deliveries: await environment.query<DeliveryRow>(
      'select id, event_id, consumer_id, state, attempts from deliveries order by id',
    ),
    attempts: (
      await environment.query<AttemptRow>(
        `select delivery_id, number, outcome, extract(epoch from started_at)::float8 * 1000 as started_ms, duration_ms,
                extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as recorded_ms
         from attempts order by delivery_id, number`,
      )
    ).map(atRightTime),
    openings: await readOpenings(environment),
    holds: await readHolds(environment),
    pending: await environment.countPending(),
    bodies: new Map(events.map((event) => [event.id, event.body])),
  };
}

/** An attempt starts by its worker's clock, which a fault may have moved by an hour; its record is by PostgreSQL's. */
const atRightTime = (attempt: AttemptRow): AttemptRow => ({
  ...attempt,
  started_ms: attempt.started_ms + Math.round((attempt.recorded_ms - attempt.started_ms) / HOUR_MS) * HOUR_MS,
});

/** The attempts with their consumers and notifications. */
export function recordedAttempts({ deliveries, attempts }: History): RecordedAttempt[] {
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return attempts.flatMap(({ delivery_id: id, started_ms: startedAtMs, outcome }) => {
    const delivery = deliveryOf.get(id);
    return delivery === undefined
      ? []
      : [{ consumer: delivery.consumer_id, notificationId: delivery.event_id, startedAtMs, outcome }];
  });
}

/** Contradictions within the rows, and between them and the accepted events and the arrivals. */
export function historyFaults(
  history: History,
  accepted: readonly AcceptedEvent[],
  arrivals: readonly Arrival[],
  faults: readonly FaultDone[],
): string[] {
  const attemptsOf = Map.groupBy(history.attempts, (attempt) => attempt.delivery_id);
  const openingsOf = Map.groupBy(history.openings, (opening) => opening.consumer_id);
  const holdsOf = Map.groupBy(history.holds, (hold) => hold.delivery_id);
  const arrivalsOf = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  return [
    ...(history.pending === 0 ? [] : [`${history.pending} deliveries are still pending`]),
    ...rowFaults(history, accepted),
    ...history.deliveries.flatMap((delivery) => {
      const attempts = attemptsOf.get(delivery.id) ?? [];
      const openings = openingsOf.get(delivery.consumer_id) ?? [];
      const arrived = arrivalsOf.get(deliveryKey(delivery.event_id, delivery.consumer_id)) ?? [];
      return [
        ...attemptFaults(delivery, attempts),
        ...attempts.flatMap((attempt) => [
          ...(wasHeld(attempt, holdsOf.get(delivery.id) ?? []) ? [] : fenceFaults(attempt, openings)),
          ...arrivalFaults(attempt, arrived),
        ]),
      ].map(
        (fault) => `delivery ${delivery.id}: ${fault} (${timeline({ attempts, openings, arrived, faults })})`,
      );
    }),
  ];
}

/** Each expected delivery has one row, and each row was expected. */
function rowFaults({ deliveries }: History, accepted: readonly AcceptedEvent[]): string[] {
  const rows = Map.groupBy(deliveries, (d) => deliveryKey(d.event_id, d.consumer_id));
  const keys = new Set(accepted.flatMap((e) => e.consumers.map((c) => deliveryKey(e.notificationId, c))));
  return [
    ...[...keys].filter((key) => !rows.has(key)).map((key) => `${key} is accepted and not in the history`),
    ...[...rows].flatMap(([key, found]) => [
      ...(keys.has(key) ? [] : [`${key} is in the history and was not accepted`]),
      ...(found.length === 1 ? [] : [`${key} has ${found.length} rows in the history`]),
    ]),
  ];
}

/** The events of a delivery in milliseconds since its first attempt, for debugging. */
function timeline(of: {
  readonly attempts: readonly AttemptRow[];
  readonly openings: readonly SessionOpening[];
  readonly arrived: readonly Arrival[];
  readonly faults: readonly FaultDone[];
}): string {
  const { attempts, openings, arrived, faults } = of;
  const zero = Math.min(...attempts.map((a) => a.started_ms), ...arrived.map((a) => a.beganAtMs));
  const at = (ms: number | null): string => (ms === null ? '?' : String(Math.round(ms - zero)));
  const last = Math.max(...arrived.map((a) => a.beganAtMs), ...attempts.map((a) => a.recorded_ms), zero);
  return [
    ...attempts.map(
      (a) =>
        `attempt ${a.number} ${a.outcome} ${at(a.started_ms)}+${a.duration_ms}, recorded ${at(a.recorded_ms)}`,
    ),
    ...openings
      .filter((o) => o.opened_ms > zero - 2_000 && o.opened_ms < last)
      .map((o) => `session ${o.session} opened ${at(o.opened_ms)}`),
    ...arrived.map((a) => `POST ${at(a.beganAtMs)} to ${at(a.endedAtMs)}, 2xx ${at(a.acknowledgedAtMs)}`),
    ...faults
      .filter((f) => f.endedAtMs > zero - 2_000 && f.beganAtMs < last && !f.label.endsWith('api'))
      .map((f) => `${f.label} ${at(f.beganAtMs)} to ${at(f.endedAtMs)}`),
  ].join('; ');
}

function attemptFaults(delivery: DeliveryRow, attempts: readonly AttemptRow[]): string[] {
  const faults: string[] = [];
  const numbers = attempts.map((attempt) => attempt.number);
  if (numbers.some((number, index) => number !== index + 1)) faults.push(`attempts ${numbers.join()}`);
  if (numbers.length !== delivery.attempts) {
    faults.push(`${numbers.length} attempts are recorded and ${delivery.attempts} counted`);
  }
  const acknowledged = attempts.filter((a) => a.outcome === 'acknowledged').map((a) => a.number);
  const expected = delivery.state === 'delivered' ? [attempts.length] : [];
  if (acknowledged.join() !== expected.join()) {
    faults.push(`${delivery.state} with attempt ${acknowledged.join()} of ${attempts.length} acknowledged`);
  }
  return faults;
}

/** An attempt is recorded although its session was replaced, if that session held the delivery when it was left. */
const wasHeld = (
  { started_ms: startedMs, recorded_ms: recordedMs }: AttemptRow,
  holds: readonly Hold[],
): boolean =>
  holds.some(({ held_ms: heldMs }) => heldMs > startedMs - CLOCK_RESOLUTION_MS && heldMs < recordedMs);

/**
 * A session's right to deliver ends when another session of the consumer is opened: a request in flight may arrive and must
 * not be recorded. So no session is opened between an attempt's start and the commit of its record. This is exact: record
 * and open lock the same row, and all clocks are this machine's.
 */
function fenceFaults(attempt: AttemptRow, openings: readonly SessionOpening[]): string[] {
  const { number, started_ms: startedMs, recorded_ms: recordedMs } = attempt;
  return openings
    .filter(({ opened_ms: openedMs }) => openedMs > startedMs + CLOCK_RESOLUTION_MS && openedMs < recordedMs)
    .map(({ session, opened_ms: openedMs }) => {
      const afterMs = Math.round(openedMs - startedMs);
      return `attempt ${number} was recorded although session ${session} had been opened ${afterMs} ms after its start`;
    });
}

const ANSWERED = new Set(['acknowledged', 'http_status']);
/** Clocks are truncated to milliseconds. */
const CLOCK_RESOLUTION_MS = 2;

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
