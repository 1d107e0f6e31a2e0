import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES } from '#libs/contracts';
import fc from 'fast-check';
import { inconsistencies } from '#test/fuzz/consistency';
import { fuzzedRequests, type FuzzedDocument } from '#test/fuzz/fuzzed-requests';
import { Fuzzer } from '#test/fuzz/fuzzer';
import { liveHeap, memoryOf, type MemorySample } from '#test/fuzz/memory';
import { DocumentChecker, printedDocument, type ApiDocument } from '#test/support/api-document';
import { System } from '#test/support/system';

/** `npm run test:long` sends 100,000. The same seed makes the same requests. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 2_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 7);
const AT_ONCE = 8;
const SAMPLED_EVERY = 500;
/** Growth of the heap in a long run: caches and compiled code may still grow. */
const GROWTH_ALLOWED = 1.3;
const LONG_RUN = 50_000;

let system: System;
let document: ApiDocument & FuzzedDocument;
beforeAll(async () => {
  [system, document] = await Promise.all([
    System.start({
      backend: 'redis',
      workers: 0,
      // No consumer is called, and no producer is limited.
      env: { EGRESS_ALLOW: '', EVENT_REQUESTS_PER_SECOND: '1000000' },
    }),
    printedDocument<ApiDocument & FuzzedDocument>(),
  ]);
});
afterAll(() => system.stop());

/** Keys of the admin and of each other role except `consumer`. */
async function callers(): Promise<{ keys: string[]; ids: string[] }> {
  const made = await Promise.all(
    ROLES.filter((role) => role !== 'consumer' && role !== 'admin').map((role) =>
      system.client.call<{ id: string; key: string }>('POST', '/v1/api-keys', { name: role, roles: [role] }),
    ),
  );
  return {
    keys: [system.adminKey, ...made.map(({ body }) => body.key)],
    ids: made.map(({ body }) => body.id),
  };
}

it(
  'the api answers fuzzed requests without an internal error, a partial write or a memory leak',
  async () => {
    const { keys, ids } = await callers();
    const fuzzer = new Fuzzer(system.api.port, keys, new DocumentChecker(document), new Set(ids));
    fuzzer.done.set('createApiKey 201', ids.length);
    const arbitrary = fuzzedRequests(document);
    const samples: MemorySample[] = [];
    const startedAt = performance.now();
    for (let sent = 0; sent < REQUESTS; sent += SAMPLED_EVERY) {
      const waiting = fc
        .sample(arbitrary, { numRuns: SAMPLED_EVERY, seed: SEED * 1_000 + sent / SAMPLED_EVERY })
        .values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const request of waiting) await fuzzer.send(request);
        }),
      );
      samples.push(await memoryOf(system.api.baseUrl));
    }
    await fuzzer.close();
    const statuses = Object.fromEntries([...fuzzer.statuses].toSorted(([one], [other]) => one - other));
    const heap = { early: liveHeap(samples, 0.2, 0.4), late: liveHeap(samples, 0.8, 1) };
    if (REQUESTS >= LONG_RUN) {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const resident = samples.map(({ residentMiB }) => Math.round(residentMiB));
      const written = { events: fuzzer.notificationIds.size, done: Object.fromEntries(fuzzer.done) };
      process.stdout.write(
        `${JSON.stringify({ SEED, REQUESTS, seconds, statuses, heap, resident, written }, null, 1)}\n`,
      );
    }
    const growth = REQUESTS >= LONG_RUN ? heap.late / heap.early : 1;
    expect(growth).toBeLessThan(GROWTH_ALLOWED);
    const found = {
      SEED,
      inconsistencies: await inconsistencies(system.databaseUrl, fuzzer),
      findings: fuzzer.findings.slice(0, 10),
    };
    expect(found).toEqual({ SEED, inconsistencies: [], findings: [] });
    // The requests have to reach every kind of answer.
    expect([200, 202, 400, 401, 403, 404, 415, 422].filter((status) => !(status in statuses))).toEqual([]);
    expect(fuzzer.notificationIds.size).toBeGreaterThan(REQUESTS / 200);
    expect(system.api.isRunning).toBe(true);
  },
  120_000 + REQUESTS * 20,
);
