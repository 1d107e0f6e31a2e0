import { beforeEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { createProducer } from './producer.js';
import { event, ScriptedApi, type Reply } from './testing/scripted-api.js';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const kind = fc.oneof(
  { weight: 8, arbitrary: fc.constant('ordinary' as const) },
  { weight: 1, arbitrary: fc.constantFrom('rejected' as const, 'poison' as const) },
);
/** Failures that a producer repeats. */
const failure = fc.constantFrom<Reply>(
  { kind: 'lose' },
  { kind: 'refuse-connection' },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 500, body: '<html>' },
  { kind: 'status', status: 202, body: '{"results":' },
  { kind: 'status', status: 202, body: { results: [] } },
);
const reply = fc.oneof(fc.constant<Reply>({ kind: 'accept' }), failure);
const producerOn = (api: ScriptedApi) =>
  createProducer({ baseUrl: 'http://api.test', apiKey: 'key', fetch: api.fetch, lingerMs: 0 });

/** What a call must settle with. */
function resultOf(of: 'ordinary' | 'rejected' | 'poison', key: string): object {
  const refusal = { name: 'RefusedError', scope: 'event', idempotencyKey: key };
  switch (of) {
    case 'ordinary':
      return { status: 'fulfilled', value: { notificationId: `id-of-${key}` } };
    case 'rejected':
      return {
        status: 'rejected',
        reason: { ...refusal, errors: [{ field: key, message: 'is rejected' }] },
      };
    case 'poison':
      return { status: 'rejected', reason: { ...refusal, status: 400 } };
  }
}

// Full jitter may choose no wait at all.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

it('posts each event once and in order, and gives each call its own result, whatever fails on the way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(kind, { minLength: 1, maxLength: 60 }),
      fc.array(reply, { maxLength: 12 }),
      fc.array(fc.nat(59), { maxLength: 4 }),
      fc.array(fc.nat(59), { maxLength: 8 }),
      async (kinds, script, pauses, flushes) => {
        const api = new ScriptedApi([...script]);
        const producer = producerOn(api);
        const calls: Promise<PromiseSettledResult<unknown>[]>[] = [];
        for (const [index, of] of kinds.entries()) {
          // Observed at once: a call may be refused in a pause before the last call is made.
          calls.push(
            Promise.allSettled([producer.post(event(of), { idempotencyKey: `key-${String(index)}` })]),
          );
          if (pauses.includes(index)) await new Promise(setImmediate);
          if (flushes.includes(index)) void producer.flush();
        }
        const results = (await Promise.all(calls)).flat();
        await producer.close();
        expect(results).toMatchObject(kinds.map((of, index) => resultOf(of, `key-${String(index)}`)));
        const ordinary = kinds.flatMap((of, index) => (of === 'ordinary' ? [`key-${String(index)}`] : []));
        expect(api.accepted).toEqual(ordinary);
        expect(api.mostAtOnce).toBe(1);
      },
    ),
  );
});

it('sends only batches of at most 500 events and at most 5 MiB, unless one event is larger', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(1, 100_000, 2_600_000, 5_300_000), { maxLength: 12 }),
      fc.nat(1_200),
      async (sizes, small) => {
        const api = new ScriptedApi();
        const producer = producerOn(api);
        // Two bytes each in UTF-8.
        const all = [...sizes, ...Array<number>(small).fill(1)].map((size) => 'é'.repeat(size / 2));
        await Promise.all(all.map((text) => producer.post({ ...event(), consumers: [text] })));
        expect(api.requests.flat()).toHaveLength(all.length);
        expect(api.requests.filter(({ length }) => length < 1 || length > 500)).toEqual([]);
        const shared = api.bodies.filter((_, index) => (api.requests[index]?.length ?? 0) > 1);
        expect(shared.filter((body) => Buffer.byteLength(body) > MAX_BODY_BYTES)).toHaveLength(0);
      },
    ),
    { numRuns: 15 },
  );
});
