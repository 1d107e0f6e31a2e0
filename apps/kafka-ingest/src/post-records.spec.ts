import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { RefusedError, UnavailableError, type PostOptions, type StatusChange } from '#packages/client';
import { ConfigurationRefusedError, postRecords } from './post-records.js';
import type { KafkaRecord } from './record.js';

const NO_ERRORS = { detail: 'no', errors: [], requestId: null };
const refused = (status: number, scope: 'event' | 'request') =>
  new RefusedError({ ...NO_ERRORS, status, scope }, 'key');
const undecided = new UnavailableError('HTTP 503', 'key', {});

const record = (offset: number, value = '{}', headers: readonly [string, string][] = []): KafkaRecord => ({
  topic: 'payments',
  partition: 2,
  offset: BigInt(offset),
  key: Buffer.from('W-1'),
  value: Buffer.from(value),
  headers: new Map(headers.map(([name, text]) => [name, Buffer.from(text)])),
  headerEntries: [],
  timestamp: 0n,
  leaderEpoch: 0,
  metadata: {},
  commit: () => undefined,
  toJSON: () => {
    throw new Error('not used');
  },
});

/** Posts the records to a dispatcher that gives these answers, in order, and then accepts. */
async function post(records: readonly KafkaRecord[], answers: readonly (Error | 'accepted')[] = []) {
  const [keys, left] = [[] as string[], [...answers]];
  const stop = new AbortController();
  const producer = {
    post: async (_event: StatusChange, { idempotencyKey = '' }: PostOptions = {}) => {
      keys.push(idempotencyKey);
      const answer = left.shift() ?? 'accepted';
      if (answer !== 'accepted') throw answer;
      return { notificationId: 'n', duplicate: false };
    },
  };
  const options = { producer, signal: stop.signal, logger: pino({ level: 'silent' }), againAfterMs: 0 };
  const done = postRecords(records, new Map([['payments', 'id']]), options);
  return { keys, stop, done };
}

describe('postRecords', () => {
  it('posts undecided records again, in their order and under the same keys, until each is decided', async () => {
    const records = [record(1), record(2), record(3)];
    const answers = ['accepted', undecided, undecided, undecided, undecided] as const;
    const { keys, done } = await post(records, answers);
    expect(await done).toEqual([]);
    expect(keys.map((key) => key.replace('kafka/id/2/', ''))).toEqual(['1', '2', '3', '2', '3', '2', '3']);
  });

  it.each([409, 413, 422, 202])(
    'returns an event that is refused with %s, and accepts those after it',
    async (status) => {
      const { keys, done } = await post([record(1), record(2)], [refused(status, 'event')]);
      expect(await done).toEqual([
        {
          record: expect.objectContaining({ offset: 1n }),
          refusal: { reason: 'refused', detail: 'no', errors: [] },
        },
      ]);
      expect(keys).toHaveLength(2);
    },
  );

  it.each([401, 403, 404])(
    'gives up without a dead letter when every request is refused with %s',
    async (status) => {
      const { done } = await post([record(1)], [refused(status, 'request')]);
      await expect(done).rejects.toThrow(ConfigurationRefusedError);
    },
  );

  it.each(['{"amount": "1', '', '[]', 'null', '"text"', '7'])(
    'returns the value %j without posting it',
    async (value) => {
      const { keys, done } = await post([record(1, value)]);
      expect(await done).toEqual([
        expect.objectContaining({ refusal: expect.objectContaining({ reason: 'not-json' }) }),
      ]);
      expect(keys).toEqual([]);
    },
  );

  it('uses the producer’s own idempotency key when the record has one', async () => {
    const { keys, done } = await post([record(1, '{}', [['idempotency-key', 'hub-1']])]);
    await done;
    expect(keys).toEqual(['hub-1']);
  });

  it('returns null when it is stopped before every record is decided', async () => {
    const { stop, done } = await post(
      [record(1)],
      Array.from({ length: 1_000 }, () => undecided),
    );
    stop.abort();
    expect(await done).toBeNull();
  });
});
