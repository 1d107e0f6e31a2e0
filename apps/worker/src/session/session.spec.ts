import { describe, expect, it } from '@jest/globals';
import type { FetchedConsumer } from '#libs/database';
import { HEALTHY } from '#libs/policy';
import { DeliverySession } from './session.js';

const SETTINGS: FetchedConsumer = {
  consumerId: 'c',
  session: 7,
  held: true,
  maySend: true,
  url: 'http://127.0.0.1/',
  timeoutMs: 10_000,
  timestampUnit: 'seconds',
  ordering: 'payment',
  maxConcurrency: 4,
  maxPerSecond: null,
  retrySchedule: null,
  caCertificate: null,
  credentialVersion: 1,
  health: HEALTHY,
  nextSendInMs: null,
};

function openSession(given: Partial<FetchedConsumer> = {}): DeliverySession {
  const session = new DeliverySession('c', 'job', 0);
  session.learn({ ...SETTINGS, ...given }, 0);
  return session;
}

const due = (id: string) => ({ id, dueAt: new Date() });

const circuit = (inMs: number) => ({
  ...HEALTHY,
  failures: 12,
  circuit: { openedAt: new Date(), failedProbes: 0, nextProbeAt: new Date(Date.now() + inMs) },
});

describe('what a session has room for', () => {
  it('is the consumer’s maxConcurrency less what is in flight', () => {
    const session = openSession();
    void session.begin(due('a'), 0);
    expect(session.room(0)).toBe(3);
    session.finish('a', 1);
    expect(session.room(1)).toBe(4);
  });

  it('is at most 8 after ten failures in a row', () => {
    const session = openSession({ maxConcurrency: 64, health: { ...HEALTHY, failures: 10 } });
    expect(session.room(0)).toBe(8);
  });

  it('is nothing for 250 ms after a fetch for a consumer that has failed ten times in a row', () => {
    const session = openSession({ health: { ...HEALTHY, failures: 10 } });
    session.request(4, 1_000);
    expect(session.room(1_249)).toBe(0);
    expect(session.room(1_250)).toBe(4);
  });

  it('is one probe, when it is due, while the circuit is open', () => {
    expect(openSession({ health: circuit(60_000) }).room(0)).toBe(0);
    const session = openSession({ health: circuit(-1) });
    expect(session.room(0)).toBe(1);
    void session.begin(due('probe'), 0);
    expect(session.room(0)).toBe(0);
  });

  it('is nothing once the session is to end', () => {
    const session = openSession();
    session.stop('yields');
    expect(session.room(0)).toBe(0);
  });
});

describe('the fence of a session', () => {
  it('lets no request on the wire when the last comparison is older than 4 s', () => {
    const session = openSession();
    expect(() => session.assertMaySend(3_900)).not.toThrow();
    expect(() => session.assertMaySend(4_100)).toThrow('suspended');
    session.confirm(4_000);
    expect(() => session.assertMaySend(4_100)).not.toThrow();
  });

  it('lets no request on the wire when another worker has opened a session', () => {
    const session = openSession();
    session.learn({ ...SETTINGS, held: false }, 1);
    expect(session.endReason).toBe('fenced');
    expect(() => session.assertMaySend(1)).toThrow('another worker');
  });

  it('stays lost when the session was to yield or stop before', () => {
    const session = openSession();
    session.stop('yields');
    session.stop('lock_lost');
    expect(() => session.assertMaySend(1)).toThrow('another worker');
  });
});

describe('the end of a session', () => {
  it('comes a second after its last work, and not while something is in flight', () => {
    const session = openSession();
    void session.begin(due('a'), 5_000);
    expect(session.shouldEnd(9_000, true)).toBe(false);
    session.finish('a', 9_000);
    expect(session.shouldEnd(9_900, true)).toBe(false);
    expect(session.shouldEnd(10_000, true)).toBe(true);
  });

  it('comes at once when others wait for its place', () => {
    const session = openSession();
    expect(session.shouldEnd(0, false)).toBe(true);
    session.mayHaveMore = true;
    expect(session.shouldEnd(0, false)).toBe(false);
  });

  it('comes at once when the consumer is paused or its circuit is open', () => {
    expect(openSession({ maySend: false }).shouldEnd(0, true)).toBe(true);
    expect(openSession({ health: circuit(60_000) }).shouldEnd(0, true)).toBe(true);
    expect(openSession({ health: circuit(-1) }).shouldEnd(0, true)).toBe(false);
  });
});

describe('the health that a session goes by', () => {
  it('is what PostgreSQL says, unless an attempt was recorded after the question', () => {
    const session = openSession();
    session.noteHealth({ ...HEALTHY, failures: 3 }, 100);
    session.learn(SETTINGS, 50);
    expect(session.health.failures).toBe(3);
    session.learn(SETTINGS, 150);
    expect(session.health.failures).toBe(0);
  });
});

it('excludes from the next fetch what is in flight, and for 5 s what could not be sent for a reason of ours', () => {
  const session = openSession();
  void session.begin(due('a'), 0);
  void session.begin(due('b'), 0);
  session.putAside('b', 0);
  expect(session.request(2, 4_999).inFlight).toEqual(['a', 'b']);
  expect(session.request(2, 5_000).inFlight).toEqual(['a']);
});
