import { describe, expect, it } from '@jest/globals';
import { HEALTHY } from '#libs/policy';
import { fetchedConsumer, fetchedDelivery, openSession } from '#test/support/open-session';
import { NotSentError } from './end-reason.js';
import { Leaving } from './leaving.js';
import { DeliverySession } from './session.js';

const due = (id: string) => fetchedDelivery(id);

const circuit = (inMs: number) => ({
  ...HEALTHY,
  failures: 12,
  circuit: { failedProbes: 0, nextProbeAtMs: performance.now() + inMs },
});

describe('what a session asks PostgreSQL', () => {
  it('a session is not opened when the lock of its job has run out, and is when the lock was renewed', () => {
    const late = new DeliverySession('acme', 'job', 10_000, 4_000);
    expect([late.shouldAsk(10_000, 0), late.endReason]).toEqual([false, 'lock_lost']);
    const renewed = new DeliverySession('acme', 'job', 10_000, 4_000);
    renewed.lockedAtMs = 9_000;
    expect(renewed.shouldAsk(10_000, 0)).toBe(true);
  });

  it('a session that has ended before it was opened is not opened', () => {
    const session = new DeliverySession('acme', 'job', 0);
    session.stop('stops');
    expect(session.shouldAsk(1, 0)).toBe(false);
  });

  it('a session that can fetch nothing asks for its number after 2 s, so that it stays confirmed', () => {
    const session = openSession({ maxConcurrency: 1 });
    session.confirm(1_000);
    void session.begin(due('a'), 1_000);
    expect([session.shouldAsk(3_000, 0), session.shouldAsk(3_001, 0)]).toEqual([false, true]);
    session.confirm(3_001);
    expect([session.shouldAsk(4_000, 0), session.unconfirmedMs(4_000)]).toEqual([false, 999]);
  });
});

describe('capacity of a session', () => {
  it('a session has the capacity of the consumer’s maxConcurrency minus its deliveries in flight', () => {
    const session = openSession();
    void session.begin(due('a'), 0);
    expect(session.capacity(0)).toBe(3);
    session.finish('a', 1);
    expect(session.capacity(1)).toBe(4);
  });

  it('a session has a capacity of 4 at first, of twice as many after a success, and of half after a failure', () => {
    const session = openSession({ maxConcurrency: 64 });
    expect(session.capacity(0)).toBe(4);
    session.noteAnswer(true, 1);
    expect(session.capacity(1)).toBe(8);
    session.noteAnswer(false, 2);
    expect(session.capacity(2)).toBe(4);
  });

  it('requests of a former session that are not recorded yet count as the session’s own', () => {
    const session = openSession({ maxConcurrency: 4, heldElsewhere: 3 });
    expect([session.capacity(0), session.request(1, 0).answers]).toEqual([1, true]);
    session.update(fetchedConsumer({ heldElsewhere: 0 }), 1, 2);
    expect([session.capacity(2), session.request(1, 2).answers]).toEqual([4, false]);
  });

  it('begins with a full first window beside requests of a former session, as far as the limit allows', () => {
    const session = openSession({ maxConcurrency: 16, heldElsewhere: 9 });
    expect(session.capacity(0)).toBe(4);
    session.noteAnswer(true, 1);
    expect(session.capacity(2)).toBe(7);
  });

  it('fetches nothing for 50 ms after a fetch for a consumer that has failed ten times in a row', () => {
    const session = openSession({ health: { ...HEALTHY, failures: 10 } });
    session.request(4, 1_000);
    expect(session.capacity(1_049)).toBe(0);
    expect(session.capacity(1_050)).toBe(4);
  });

  it('fetches one due probe and nothing else while the circuit is open', () => {
    expect(openSession({ health: circuit(60_000) }).capacity(0)).toBe(0);
    const session = openSession({ health: circuit(-1) });
    expect(session.capacity(0)).toBe(1);
    void session.begin(due('probe'), 0);
    expect(session.capacity(0)).toBe(0);
  });

  it('fetches nothing in a session that is about to end', () => {
    const session = openSession();
    session.stop('yields');
    expect(session.capacity(0)).toBe(0);
  });
});

describe('fence of a session', () => {
  it('allows no request in a session that was last compared with PostgreSQL more than 4 s ago', () => {
    const session = openSession();
    expect(() => session.goesOnTheWire('a', 3_900)).not.toThrow();
    expect(() => session.goesOnTheWire('a', 4_100)).toThrow('suspended');
    session.confirm(4_000);
    expect(() => session.goesOnTheWire('a', 4_100)).not.toThrow();
  });

  it('allows no request when another worker has opened a session of the consumer', () => {
    const session = openSession();
    session.update(fetchedConsumer({ held: false }), 1, 1);
    expect(session.endReason).toBe('fenced');
    expect(() => session.goesOnTheWire('a', 1)).toThrow('another worker');
  });

  it('allows no request after the job’s lock is lost, also in a session that was about to yield', () => {
    const session = openSession();
    session.stop('yields');
    session.stop('lock_lost');
    expect(() => session.goesOnTheWire('a', 1)).toThrow('another worker');
  });
});

describe('end of a session', () => {
  it('a session has no work since its last delivery was recorded, and none ends while one is in flight or due', () => {
    const session = openSession();
    void session.begin(due('a'), 5_000);
    expect(session.isIdle(9_000, 0)).toBe(false);
    session.finish('a', 9_000);
    expect([session.isIdle(11_900, 3_000), session.isIdle(12_000, 3_000)]).toEqual([false, true]);
    session.mayHaveMore = true;
    expect(session.isIdle(12_000, 0)).toBe(false);
  });

  it('ends the session of a consumer that is paused or has an open circuit at once', () => {
    expect(openSession({ maySend: false }).isIdle(0, 3_000)).toBe(true);
    expect(openSession({ health: circuit(60_000) }).isIdle(0, 3_000)).toBe(true);
    expect(openSession({ health: circuit(-1) }).isIdle(0, 3_000)).toBe(false);
  });

  it('a session that is left returns only the requests that may have been sent, and sends nothing more', () => {
    const session = openSession({ timeoutMs: 10_000 });
    for (const id of ['a', 'b'])
      void session.begin(fetchedDelivery(id, { paymentId: `p-${id}`, attempts: 2 }), 0);
    session.goesOnTheWire('a', 1);
    session.stop('yields');
    expect(session.leave()).toEqual([
      { deliveryId: 'a', eventType: 'ach.status', paymentId: 'p-a', attempts: 2, holdMs: 15_000 },
    ]);
    expect(() => session.goesOnTheWire('b', 2)).toThrow(NotSentError);
  });

  it('a session that was left goes on, and is opened again, when a fetch finds something due', () => {
    const session = openSession();
    session.leaving = new Leaving(0);
    expect(session.request(1, 0)).toMatchObject({ answers: true, marks: true, reopens: false });
    session.noteEndFacts({ wakeInMs: -1, oldestRunning: 5n, mark: 5n }, 1);
    expect(session.leaving).toBeNull();
    expect(session.request(1, 1)).toMatchObject({ answers: true, reopens: true });
    session.noteEndFacts({ wakeInMs: null, oldestRunning: 6n, mark: null }, 2);
    expect(session.request(1, 2)).toMatchObject({ answers: false, reopens: false });
  });
});

describe('health of a session', () => {
  it('a session uses the health that PostgreSQL returns, unless an attempt was recorded after the request', () => {
    const session = openSession();
    session.noteHealth({ ...HEALTHY, failures: 3 }, 100);
    session.update(fetchedConsumer(), 50, 150);
    expect(session.health.failures).toBe(3);
    session.update(fetchedConsumer(), 150, 160);
    expect(session.health.failures).toBe(0);
  });
});

it('a session continues the rate of the former one from the time of PostgreSQL’s answer, not of its request', () => {
  const consumer = fetchedConsumer({ maxPerSecond: 1, nextSendInMs: 700 });
  const session = new DeliverySession(consumer.consumerId, 'job', 0);
  session.update(consumer, 1_000, 1_300);
  expect(session.nextSendInMs(1_300)).toBe(700);
});

it('a session’s next fetch excludes deliveries in flight, and for 5 s deliveries with an internal error', () => {
  const session = openSession();
  void session.begin(due('a'), 0);
  void session.begin(due('b'), 0);
  session.deferAfterFault('b', 0);
  expect(session.request(2, 4_999).inFlight).toEqual(['a', 'b']);
  expect(session.request(2, 5_000).inFlight).toEqual(['a']);
});
