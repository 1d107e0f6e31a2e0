import type { RecordedAttempt } from '#test/chaos/duplicates';
import { deliveryKey, type Arrival, type FaultDone, type PromisedEvent } from '#test/chaos/observations';
import type { Stage } from '#test/chaos/stage';

/** What PostgreSQL holds at the end of a run. */
export interface Ledger {
  readonly deliveries: readonly LedgerDelivery[];
  readonly attempts: readonly LedgerAttempt[];
  /** Deliveries that are still open. */
  readonly open: number;
  /** `events.body`, by notification. */
  readonly bodies: ReadonlyMap<string, string>;
}

export interface LedgerDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly lease: number;
}

export interface LedgerAttempt {
  readonly delivery_id: string;
  readonly number: number;
  readonly outcome: string;
  readonly started_ms: number;
  readonly duration_ms: number;
  /** Null: the table does not say. */
  readonly lease: number | null;
}

const HAS_LEASE = `select 1 as found from information_schema.columns
                   where table_schema = 'public' and table_name = 'attempts' and column_name = 'lease'`;

/** Reads it. */
export async function readLedger(stage: Stage): Promise<Ledger> {
  const hasLease = (await stage.ask(HAS_LEASE)).length > 0;
  const [open] = await stage.ask<{ count: number }>('select count(*)::int as count from open_deliveries');
  const events = await stage.ask<{ id: string; body: string }>('select id, body from events');
  return {
    deliveries: await stage.ask<LedgerDelivery>(
      'select id, event_id, consumer_id, state, attempts, lease from deliveries order by id',
    ),
    attempts: await stage.ask<LedgerAttempt>(
      `select delivery_id, number, outcome, extract(epoch from started_at)::float8 * 1000 as started_ms,
              duration_ms, ${hasLease ? 'lease' : 'null::int as lease'}
       from attempts order by delivery_id, number`,
    ),
    open: open?.count ?? -1,
    bodies: new Map(events.map((event) => [event.id, event.body])),
  };
}

/** Its attempts, with what they were attempts of. */
export function recordedAttempts({ deliveries, attempts }: Ledger): RecordedAttempt[] {
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return attempts.flatMap(({ delivery_id: id, started_ms: startedAtMs, outcome }) => {
    const delivery = deliveryOf.get(id);
    return delivery === undefined
      ? []
      : [{ consumer: delivery.consumer_id, notificationId: delivery.event_id, startedAtMs, outcome }];
  });
}

/** What is wrong in it, taken by itself and held against what was promised and what arrived. */
export function ledgerFaults(
  ledger: Ledger,
  promised: readonly PromisedEvent[],
  arrivals: readonly Arrival[],
  faults: readonly FaultDone[],
): string[] {
  const attemptsOf = Map.groupBy(ledger.attempts, (attempt) => attempt.delivery_id);
  const arrivalsOf = Map.groupBy(arrivals, (a) => deliveryKey(a.notificationId, a.consumer));
  const continuedAtMs = faults.filter((f) => f.label === 'SIGSTOP worker').map((f) => f.endedAtMs);
  return [
    ...(ledger.open === 0 ? [] : [`${ledger.open} deliveries are still open`]),
    ...rowFaults(ledger, promised),
    ...ledger.deliveries.flatMap((delivery) => {
      const attempts = attemptsOf.get(delivery.id) ?? [];
      const arrived = arrivalsOf.get(deliveryKey(delivery.event_id, delivery.consumer_id)) ?? [];
      return [...attemptFaults(delivery, attempts), ...arrivalFaults(attempts, arrived, continuedAtMs)].map(
        (fault) => `delivery ${delivery.id}: ${fault} (${timeline(attempts, arrived, faults)})`,
      );
    }),
  ];
}

/** Each promise has one row, and each row was promised. */
function rowFaults({ deliveries }: Ledger, promised: readonly PromisedEvent[]): string[] {
  const rows = Map.groupBy(deliveries, (d) => deliveryKey(d.event_id, d.consumer_id));
  const keys = new Set(promised.flatMap((e) => e.consumers.map((c) => deliveryKey(e.notificationId, c))));
  return [
    ...[...keys].filter((key) => !rows.has(key)).map((key) => `${key} is promised and not in the history`),
    ...[...rows].flatMap(([key, found]) => [
      ...(keys.has(key) ? [] : [`${key} is in the history and was not promised`]),
      ...(found.length === 1 ? [] : [`${key} is ${found.length} times in the history`]),
    ]),
  ];
}

/** What happened to a delivery, in milliseconds since its first attempt: for whoever looks into a fault. */
function timeline(
  attempts: readonly LedgerAttempt[],
  arrived: readonly Arrival[],
  faults: readonly FaultDone[],
): string {
  const zero = Math.min(...attempts.map((a) => a.started_ms), ...arrived.map((a) => a.beganAtMs));
  const at = (ms: number | null): string => (ms === null ? '?' : String(Math.round(ms - zero)));
  const last = Math.max(...arrived.map((a) => a.beganAtMs), zero);
  return [
    ...attempts.map((a) => `attempt ${a.number} ${a.outcome} ${at(a.started_ms)}+${a.duration_ms}`),
    ...arrived.map((a) => `POST ${at(a.beganAtMs)} to ${at(a.endedAtMs)}, 2xx ${at(a.acknowledgedAtMs)}`),
    ...faults
      .filter((f) => f.endedAtMs > zero - 2_000 && f.beganAtMs < last && !f.label.endsWith('api'))
      .map((f) => `${f.label} ${at(f.beganAtMs)} to ${at(f.endedAtMs)}`),
  ].join('; ');
}

function attemptFaults(delivery: LedgerDelivery, attempts: readonly LedgerAttempt[]): string[] {
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
  const leases = attempts.flatMap(({ lease }) => lease ?? []);
  if (leases.some((lease, index) => index > 0 && lease <= (leases[index - 1] ?? 0))) {
    faults.push(`leases ${leases.join()} do not grow`);
  }
  if (leases.length > 0 && leases.at(-1) !== delivery.lease) {
    faults.push(`recorded under lease ${leases.at(-1)} and finished under ${delivery.lease}`);
  }
  return faults;
}

const ANSWERED = new Set(['acknowledged', 'http_status']);
/** A worker that is let go on may still send what it took before it was stopped. */
const AFTER_STOP_MS = 2_000;
/** A lease is the consumer's timeout and 10 s, so nobody takes over earlier; what comes earlier was taken before. */
const TAKEN_OVER_AFTER_MS = 9_000;
const GRAIN_MS = 20;

/**
 * An attempt that was answered has reached the consumer. And while an attempt is under way nobody else sends the
 * same delivery, unless its lease has run out; then it must not be recorded. So no other POST begins within a
 * recorded attempt, late enough to have been taken over.
 */
function arrivalFaults(
  attempts: readonly LedgerAttempt[],
  arrived: readonly Arrival[],
  continuedAtMs: readonly number[],
): string[] {
  const answered = attempts.filter((attempt) => ANSWERED.has(attempt.outcome)).length;
  const faults = answered > arrived.length ? [`${answered} answered attempts, ${arrived.length} POSTs`] : [];
  for (const { number, started_ms: from, duration_ms: forMs } of attempts) {
    const intruder = arrived.find(
      ({ beganAtMs }) =>
        beganAtMs > from + TAKEN_OVER_AFTER_MS &&
        beganAtMs < from + forMs - GRAIN_MS &&
        !continuedAtMs.some((at) => beganAtMs >= at && beganAtMs < at + AFTER_STOP_MS),
    );
    if (intruder !== undefined) {
      const afterMs = Math.round(intruder.beganAtMs - from);
      faults.push(`attempt ${number} was recorded although another took over ${afterMs} ms into it`);
    }
  }
  return faults;
}
