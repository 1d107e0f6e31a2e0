import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailableError, type AttemptResult, type Unrecorded } from '#libs/database';
import { createLogger, Metrics } from '#libs/observability';
import { attemptResult, fetchedDelivery, openSession } from '#test/support/open-session';
import { waitUntil } from '#test/support/wait-until';
import { Recorder } from './recorder.js';
import type { DeliverySession } from './session.js';
import type { ToRecord } from './session-store.js';

const LOGGER = createLogger({ level: 'silent', process: 'test' });
const FAILED = { outcome: 'timeout', httpStatus: null, next: { retryInMs: 1, spendsAttempt: true } } as const;
const refusal = Object.assign(new Error('invalid byte sequence'), { code: '22021' });

/** A recorder whose store first fails with these errors, and then writes for the consumers in `held`. */
function recorderOver(
  errors: readonly Error[] = [],
  held: readonly string[] = ['c'],
  workerConcurrency = 1,
): {
  recorder: Recorder;
  batches: ToRecord[];
  /** Deliveries that are held, since their record is refused. */
  unrecorded: Unrecorded[];
} {
  const batches: ToRecord[] = [];
  const unrecorded: Unrecorded[] = [];
  const store = {
    record: async (batch: ToRecord) => {
      batches.push(batch);
      const error = errors[batches.length - 1];
      if (error !== undefined) throw error;
      const fenced = batch.results.filter(({ consumerId }) => !held.includes(consumerId));
      return {
        held: new Set(held),
        fenced: new Set(fenced.map(({ deliveryId }) => deliveryId)),
        released: new Set<string>(),
        transitions: [],
      };
    },
    hold: async (delivery: Unrecorded) => void unrecorded.push(delivery),
    noteSecretFault: async () => {
      throw new Error('PostgreSQL is unreachable');
    },
  };
  return { recorder: new Recorder(store, LOGGER, new Metrics(), { workerConcurrency }), batches, unrecorded };
}

it('repeats the recording of an attempt while the database is unreachable', async () => {
  const { recorder, batches } = recorderOver([new DatabaseUnavailableError('ECONNREFUSED')]);
  expect(await recorder.record(openSession(), attemptResult())).toBe(true);
  expect(batches.map(({ results }) => results[0]?.deliveryId)).toEqual(['d', 'd']);
});

it('stops repeating a recording, with the database’s error, when the process stops', async () => {
  const { recorder, batches } = recorderOver([new DatabaseUnavailableError('ECONNREFUSED')]);
  recorder.abandon();
  await expect(recorder.record(openSession(), attemptResult())).rejects.toThrow(DatabaseUnavailableError);
  expect(batches).toHaveLength(1);
});

it('holds a delivery whose record PostgreSQL refuses, and frees its slot, while only the record is repeated', async () => {
  const error = Object.assign(new Error('violates check constraint'), { code: '23514' });
  const { recorder, batches, unrecorded } = recorderOver([error, error]);
  const session = openSession();
  void session.begin(fetchedDelivery('d'), 0);
  const recorded = recorder.record(session, attemptResult());
  await waitUntil(() => unrecorded.length > 0, { what: 'the delivery to be held', everyMs: 1 });
  expect([batches.length, session.inFlight.size]).toEqual([1, 0]);
  expect(unrecorded).toMatchObject([{ deliveryId: 'd', session: 7 }]);
  recorder.abandon();
  await expect(recorded).rejects.toBe(error);
});

it('records an attempt without the answer that the database refuses to store', async () => {
  const { recorder, batches } = recorderOver([refusal]);
  expect(await recorder.record(openSession(), attemptResult())).toBe(true);
  expect(batches[1]?.results[0]).toMatchObject({ responseHeaders: null, responseBody: null });
});

it('records simultaneous results of several sessions in one batch', async () => {
  const { recorder, batches } = recorderOver([], ['b', 'c']);
  const results = await Promise.all(
    ['c', 'b'].map((consumerId) =>
      recorder.record(
        openSession({ consumerId }),
        attemptResult({ consumerId, deliveryId: `of ${consumerId}`, ...FAILED }),
      ),
    ),
  );
  expect(results).toEqual([true, true]);
  expect(batches).toHaveLength(1);
  expect(batches[0]?.counts.map(({ consumerId }) => consumerId)).toEqual(['b', 'c']);
});

it('records two results of one delivery, of a former session and of this one, one after the other', async () => {
  const { recorder, batches } = recorderOver();
  const ids = ['d', 'e', 'd', 'f'];
  await Promise.all(ids.map((deliveryId) => recorder.record(openSession(), attemptResult({ deliveryId }))));
  const written = batches.map(({ results }) => results.map(({ deliveryId }) => deliveryId));
  expect(written).toEqual([
    ['d', 'e'],
    ['d', 'f'],
  ]);
});

it('writes and keeps a consumer’s failures in a row', async () => {
  const { recorder, batches } = recorderOver();
  const session = openSession();
  await recorder.record(session, attemptResult(FAILED));
  expect(batches[0]?.counts).toMatchObject([{ consumerId: 'c', failures: 1 }]);
  expect(session.health.failures).toBe(1);
});

it('writes no health when a healthy consumer acknowledges', async () => {
  const { recorder, batches } = recorderOver();
  const session = openSession();
  await recorder.record(session, attemptResult());
  expect(batches[0]).toMatchObject({ counts: [], circuits: [], elsewhere: [], pausing: [] });
  expect(session.lastSuccessAtMs).not.toBeNull();
});

it('fences a session whose number another worker has replaced', async () => {
  const { recorder } = recorderOver([], []);
  const session = openSession();
  expect(await recorder.record(session, attemptResult(FAILED))).toBe(false);
  expect(session.endReason).toBe('fenced');
  expect(session.health.failures).toBe(0);
});

it('records results of two sessions of one consumer one after the other, and counts the former one’s failures apart', async () => {
  const { recorder, batches } = recorderOver();
  const [former, current] = [openSession(), openSession({ session: 8 })];
  former.stop('yields');
  former.leave();
  await Promise.all([
    recorder.record(former, attemptResult({ deliveryId: 'd', ...FAILED })),
    recorder.record(current, attemptResult({ deliveryId: 'e', session: 8, ...FAILED })),
  ]);
  expect(batches.map(({ counts, elsewhere }) => [counts.length, elsewhere.length])).toEqual([
    [0, 1],
    [1, 0],
  ]);
  expect([former.endReason, current.health.failures]).toEqual(['yields', 1]);
});

it('the recorder does not reject when a secret fault cannot be written', async () => {
  await expect(recorderOver().recorder.noteSecretFault('c', 'wrong key')).resolves.toBeUndefined();
});

describe('a record among others, while no time passes', () => {
  afterEach(() => void jest.useRealTimers());

  const over = (session: DeliverySession, given: Partial<AttemptResult> = {}, workerConcurrency = 64) => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    const { recorder, batches } = recorderOver([], ['c'], workerConcurrency);
    const recorded = recorder.record(session, attemptResult({ deliveryId: 'first', ...given }));
    return { recorder, batches, recorded };
  };

  it('waits for the next one if it is a success and nothing waits for it', async () => {
    const session = openSession();
    const { recorder, batches, recorded } = over(session);
    await recorder.record(session, attemptResult({ deliveryId: 'second', ...FAILED }));
    await recorded;
    expect(batches.map(({ results }) => results.map(({ deliveryId }) => deliveryId))).toEqual([
      ['first', 'second'],
    ]);
  });

  it.each<[string, () => ReturnType<typeof over>]>([
    ['if it is a failure', () => over(openSession(), FAILED)],
    ['if the consumer has more to fetch', () => over(Object.assign(openSession(), { mayHaveMore: true }))],
    [
      'if the consumer is at its limit',
      () => {
        const session = openSession({ maxConcurrency: 1 });
        void session.begin(fetchedDelivery('first'), performance.now());
        return over(session);
      },
    ],
    ['in a worker with few slots', () => over(openSession(), {}, 8)],
  ])('is written at once %s', async (_when, record) => {
    expect(await record().recorded).toBe(true);
  });
});
