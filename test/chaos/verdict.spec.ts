import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { AttemptRow, Evidence } from './evidence.js';
import type { Arrival, FaultDone, Takeover } from './observations.js';
import { judge, type Verdict } from './verdict.js';

const SENT = { eventType: 'wire.status', eventDateTime: '2026-11-20T09:30:00.000Z', data: { a: 1 } };
const bodyOf = (notificationId: string): string => JSON.stringify({ notificationId, ...SENT });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The evidence of a run in which everything goes well, unless a test says otherwise; its clock passes 100 ms each time. */
class Run {
  readonly accepted: Mutable<Evidence['accepted'][number]>[] = [];
  readonly arrivals: Mutable<Arrival>[] = [];
  readonly bodies = new Map<string, Set<string>>();
  readonly faults: FaultDone[] = [];
  readonly takeovers: Takeover[] = [];
  readonly deliveries: Mutable<Evidence['history']['deliveries'][number]>[] = [];
  readonly attempts: Mutable<AttemptRow>[] = [];
  readonly openings: Mutable<Evidence['history']['openings'][number]>[] = [];
  readonly holds: Mutable<Evidence['history']['holds'][number]>[] = [];
  readonly stored = new Map<string, string>();
  pending = 0;
  nowMs = 0;

  /** Accepts the next status of payment `P`. */
  accept(id: string, consumers = ['acme'], payment = 'P'): this {
    const position = this.accepted.filter((event) => event.payment === payment).length;
    const acceptedAtMs = this.nowMs;
    this.accepted.push({ notificationId: id, payment, position, consumers, sent: SENT, acceptedAtMs });
    this.stored.set(id, bodyOf(id));
    return this;
  }

  /** A POST that the consumer does not acknowledge. */
  post(id: string, given: Partial<Arrival> = {}, body = bodyOf(id)): Mutable<Arrival> {
    this.nowMs += 100;
    const arrival = {
      consumer: 'acme',
      notificationId: id,
      beganSequence: this.nowMs,
      beganAtMs: this.nowMs,
      acknowledgedSequence: null,
      acknowledgedAtMs: null,
      signature: 'verified',
      ...given,
    };
    this.arrivals.push(arrival);
    this.bodies.set(id, (this.bodies.get(id) ?? new Set()).add(body));
    return arrival;
  }

  /** A POST that is acknowledged and recorded. */
  deliver(id: string, given: Partial<Arrival> = {}, body?: string): this {
    const arrival = this.post(id, given, body);
    this.nowMs += 10;
    arrival.acknowledgedSequence = this.nowMs;
    arrival.acknowledgedAtMs = this.nowMs;
    const { consumer, beganAtMs } = arrival;
    if (this.deliveries.some((d) => d.event_id === id && d.consumer_id === consumer)) return this;
    const rowId = `d${this.deliveries.length}`;
    this.deliveries.push({ id: rowId, event_id: id, consumer_id: consumer, state: 'delivered', attempts: 1 });
    this.attempt(rowId, 1, 'acknowledged', beganAtMs);
    return this;
  }

  attempt(delivery: string, number: number, outcome: string, startedMs = this.nowMs): void {
    const times = { started_ms: startedMs, duration_ms: 10, recorded_ms: startedMs + 20 };
    this.attempts.push({ delivery_id: delivery, number, outcome, ...times });
  }

  get verdict(): Verdict {
    const { accepted, arrivals, bodies, faults, takeovers, stored } = this;
    const { deliveries, attempts, openings, holds, pending } = this;
    return judge({
      accepted,
      arrivals,
      bodies,
      faults,
      takeovers,
      history: { deliveries, attempts, openings, holds, pending, bodies: stored },
      steady: new Set(['acme']),
      limits: { usualMs: 2_000, takeoverMs: 10_000 },
      noticed: [],
    });
  }

  /** The violations by name, without those that there are not. */
  get violations(): object {
    return Object.fromEntries(Object.entries(this.verdict.violations).filter(([, all]) => all.length > 0));
  }
}

const two = (): Run => new Run().accept('n0').accept('n1').deliver('n0').deliver('n1');

const opened = (openedMs: number, consumer = 'acme') => ({
  consumer_id: consumer,
  session: 2,
  opened_ms: openedMs,
});

test('the verdict has no violation when each notification arrives once, in order, and is recorded', () => {
  expect(two().verdict).toMatchObject({ expectedDeliveries: 2, duplicates: { total: 0, bound: 0 } });
  expect(two().violations).toEqual({});
});

const ACCEPTED: Readonly<Record<string, (run: Run) => unknown>> = {
  'a failed POST before the acknowledged one': (run) => run.accept('n2').post('n2') && run.deliver('n2'),
  'an order that differs between payments': (run) => run.accept('m0', ['acme'], 'Q').deliver('m0'),
  'a wait without a session within a takeover': (run) => {
    run.takeovers.push({ fromMs: 0, untilMs: 5_000 });
    run.accept('n2').nowMs += 9_000;
    run.deliver('n2');
  },
  'an attempt whose request its session held when it was left': (run) => {
    run.openings.push(opened(105));
    run.holds.push({ delivery_id: 'd0', held_ms: 104 });
  },
  'an attempt during which a session of another consumer was opened': (run) =>
    run.openings.push(opened(105, 'b')),
  'attempts before and after which another session was opened': (run) =>
    run.openings.push(opened(90), opened(400)),
  'a POST with a wrong time while the clock of a worker is wrong': (run) => {
    run.faults.push({ label: 'clock', beganAtMs: 0, endedAtMs: 1_000, inFlight: 0, signsWrongTime: true });
    run.post('n1', { signature: 'timestamp_ahead' });
  },
};

test.each(Object.keys(ACCEPTED))('the verdict accepts %s', (what) => {
  const run = two();
  ACCEPTED[what]?.(run);
  expect(run.violations).toEqual({});
});

const of = (text: string): string[] => ['d0', 'd1'].map((id) => `delivery ${id}: ${text}`);

/** Each changes a good run. @returns the violations */
const REPORTED: Readonly<Record<string, (run: Run) => object>> = {
  'a delivery that was never acknowledged': (run) => {
    run.accept('n2').post('n2');
    return { lost: ['n2 acme'], history: ['n2 acme is accepted and not in the history'] };
  },
  'a status that arrives before the previous one is acknowledged': (run) => {
    run.accept('n2').accept('n3').deliver('n3', { beganSequence: 0 }).deliver('n2');
    return { outOfOrder: ['n3 acme'] };
  },
  'a notification at a wrong consumer': (run) => {
    run.post('n0', { consumer: 'b' });
    return { foreign: ['n0 b'] };
  },
  'a wrong signature': (run) => {
    run.post('n1', { signature: 'timestamp_ahead' });
    return { badSignatures: ['n1 acme timestamp_ahead'] };
  },
  'different bytes of two arrivals': (run) => {
    run.deliver('n1', {}, `${bodyOf('n1')} `);
    return { differentBytes: ['n1 arrived with different bytes'] };
  },
  'other bytes than PostgreSQL’s': (run) => {
    run.stored.set('n1', `${bodyOf('n1')} `);
    return { differentBytes: ['n1 arrived with other bytes than PostgreSQL stores'] };
  },
  'other content than was posted': (run) => {
    run.accepted.slice(1).forEach((event) => (event.sent = { ...SENT, data: { a: 2 } }));
    return { differentBytes: ['n1 differs from what the producer posted'] };
  },
  'an event that PostgreSQL does not have': (run) => {
    run.stored.delete('n1');
    return { differentBytes: ['n1 is not in PostgreSQL'] };
  },
  'a pending delivery': (run) => {
    run.pending = 3;
    return { history: ['3 deliveries are still pending'] };
  },
  'a row that was not accepted': (run) => {
    run.deliveries.push({ id: 'x', event_id: 'x', consumer_id: 'acme', state: 'dead', attempts: 0 });
    return { history: ['x acme is in the history and was not accepted'] };
  },
  'a gap in the numbers of attempts': (run) => {
    run.deliveries.forEach((delivery) => (delivery.attempts = 2));
    for (const id of ['d0', 'd1']) run.attempt(id, 3, 'timeout');
    run.deliveries.forEach((delivery) => (delivery.state = 'dead'));
    run.attempts.forEach((attempt) => (attempt.outcome = 'timeout'));
    return { history: of('attempts 1,3') };
  },
  'an attempt that is not recorded': (run) => {
    run.deliveries.forEach((delivery) => (delivery.attempts = 2));
    return { history: of('1 attempts are recorded and 2 counted') };
  },
  'a dead delivery that was acknowledged': (run) => {
    run.deliveries.forEach((delivery) => (delivery.state = 'dead'));
    return { history: of('dead with attempt 1 of 1 acknowledged') };
  },
  'an answered attempt whose POST did not arrive': (run) => {
    run.attempts.forEach((attempt) => (attempt.started_ms += 50));
    return { history: of('attempt 1 was answered, but no POST arrived during it') };
  },
  'an internal error that was charged to a consumer': (run) => {
    run.deliveries.forEach((delivery) => (delivery.attempts = 2));
    run.attempts.forEach((attempt) => (attempt.number = 2));
    for (const id of ['d0', 'd1']) run.attempt(id, 1, 'dns');
    run.attempts.reverse();
    return { history: of('attempt 1 failed with dns at a consumer that never fails') };
  },
  'a delivery more than 15 s after the last fault': (run) => {
    run.faults.push({ label: 'kill', beganAtMs: 0, endedAtMs: 1_000, inFlight: 0 });
    for (let retry = run.nowMs; retry < 15_900; retry += 100) run.post('n2');
    run.accept('n2').deliver('n2');
    run.accepted.forEach((event) => (event.acceptedAtMs = 0));
    return { late: [`n2 acme arrived ${run.nowMs - 1_000} ms after the last fault`] };
  },
  'a consumer that waits too long for a session': (run) => {
    run.accept('n2').nowMs += 5_000;
    run.deliver('n2');
    return { unserved: ['acme waited 5100 ms from 1970-01-01T00:00:00.220Z'] };
  },
};

test.each(Object.keys(REPORTED))('the verdict reports %s', (what) => {
  const run = two();
  expect(REPORTED[what]?.(run)).toEqual(run.violations);
});

test('the verdict reports an attempt that was recorded although another session had been opened meanwhile', () => {
  const run = two();
  run.openings.push(opened(100), opened(119), opened(121));
  expect(run.violations).toEqual({
    history: ['delivery d0: attempt 1 was recorded although session 2 had been opened 19 ms after its start'],
  });
});

test('the verdict counts late repetitions as duplicates, of which there may be as many as POSTs in flight at the faults', () => {
  const run = two().deliver('n0');
  run.faults.push({ label: 'kill', beganAtMs: 0, endedAtMs: 1, inFlight: 4 });
  expect(run.verdict.duplicates).toEqual({ total: 1, bound: 4 });
  expect(run.violations).toEqual({});
});

test('a dead delivery leaves a gap in the order of its payment, which is no violation of the order', () => {
  const run = new Run().accept('n0').accept('n1').deliver('n1');
  run.deliveries.push({ id: 'd9', event_id: 'n0', consumer_id: 'acme', state: 'dead', attempts: 0 });
  expect(run.violations).toEqual({ lost: ['n0 acme'] });
});

test('the verdict reports every order of arrival except the order of acceptance', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), (arrived) => {
      const run = new Run();
      for (const position of arrived.toSorted((a, b) => a - b)) run.accept(`n${position}`);
      for (const position of arrived) run.deliver(`n${position}`);
      const isSorted = arrived.every((position, index) => position === index);
      expect(run.verdict.violations.outOfOrder.length === 0).toBe(isSorted);
      expect(run.verdict.violations.lost).toEqual([]);
    }),
  );
});
