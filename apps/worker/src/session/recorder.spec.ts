import { expect, it } from '@jest/globals';
import { DatabaseUnavailableError } from '#libs/database';
import { createLogger, Metrics } from '#libs/observability';
import { attemptResult, openSession } from '#test/support/open-session';
import { Recorder, type AttemptStore } from './recorder.js';
import type { ToRecord } from './session-store.js';

const LOGGER = createLogger({ level: 'silent', process: 'test' });
const FAILED = { outcome: 'timeout', httpStatus: null, next: { retryInMs: 1, spendsAttempt: true } } as const;
const refusal = Object.assign(new Error('invalid byte sequence'), { code: '22021' });

/** A recorder whose store first fails with these errors, and then writes for the consumers in `held`. */
function recorderOver(
  errors: readonly Error[] = [],
  held: readonly string[] = ['c'],
): {
  recorder: Recorder;
  batches: ToRecord[];
} {
  const batches: ToRecord[] = [];
  const store: AttemptStore = {
    record: async (batch) => {
      batches.push(batch);
      const error = errors[batches.length - 1];
      if (error !== undefined) throw error;
      return { held: new Set(held), transitions: [] };
    },
    noteSecretFault: async () => {
      throw new Error('PostgreSQL is unreachable');
    },
  };
  return { recorder: new Recorder(store, LOGGER, new Metrics()), batches };
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

it('does not repeat the recording of an attempt after an error that waiting cannot solve', async () => {
  const error = new Error('column does not exist');
  const { recorder, batches } = recorderOver([error]);
  await expect(recorder.record(openSession(), attemptResult())).rejects.toBe(error);
  expect(batches).toHaveLength(1);
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
  expect(batches[0]?.health.map(({ consumerId }) => consumerId)).toEqual(['b', 'c']);
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
  expect(batches[0]?.health).toMatchObject([{ consumerId: 'c', health: { failures: 1 } }]);
  expect(session.health.failures).toBe(1);
});

it('writes no health when a healthy consumer acknowledges', async () => {
  const { recorder, batches } = recorderOver();
  const session = openSession();
  await recorder.record(session, attemptResult());
  expect(batches[0]).toMatchObject({ health: [], pausing: [] });
  expect(session.lastSuccessAtMs).not.toBeNull();
});

it('fences a session whose number another worker has replaced', async () => {
  const { recorder } = recorderOver([], []);
  const session = openSession();
  expect(await recorder.record(session, attemptResult(FAILED))).toBe(false);
  expect(session.endReason).toBe('fenced');
  expect(session.health.failures).toBe(0);
});

it('the recorder does not reject when a secret fault cannot be written', async () => {
  await expect(recorderOver().recorder.noteSecretFault('c', 'wrong key')).resolves.toBeUndefined();
});
