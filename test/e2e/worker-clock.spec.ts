import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IssueListDto } from '#apps/api/src/resources/issues/issue.dto';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';
import { makeAuthority } from '../../libs/egress/src/testing/certificates.js';

const HOUR_MS = 3_600_000;
const FIRST_PROBE_MS = 30_000;
const PRELOAD = join(import.meta.dirname, '../support/shifted-clock.mjs');

let system: System;
beforeAll(async () => {
  system = await System.start({ backend: 'redis', workers: 0 });
});
afterEach(() => Promise.all(system.workers.map((worker) => worker.kill())));
afterAll(() => system.stop());

test('a worker whose clock is a year ahead removes nothing too early, and opens no issue of a healthy consumer', async () => {
  const { client, databaseUrl } = system;
  await system.startWorker({
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_SHIFT_MS: String(366 * 24 * HOUR_MS),
  });
  const acme = await Customer.onboard(client, {
    caCertificate: makeAuthority('the-consumers-own', 300).cert,
  });
  const change = achChange(acme.company, randomUUID());
  await acme.waitForAcknowledged([await client.accept(change)]);
  const partitions = () =>
    runSql(databaseUrl, `select inhrelid::regclass::text as name from pg_inherits order by 1`);
  const before = await partitions();
  await runSql(
    databaseUrl,
    `update schedules set next_at = now(), runs = 0 where name in ('retention', 'partitions', 'health_issues')`,
  );
  await waitUntil(
    async () =>
      (
        await runSql(
          databaseUrl,
          `select from schedules where name in ('retention', 'partitions', 'health_issues') and runs = 0`,
        )
      ).length === 0,
    { what: 'the recurring work to run' },
  );
  expect(await partitions()).toEqual(before);
  expect(await client.accept(change)).toMatchObject({ duplicate: true });
  const { body } = await client.call<IssueListDto>('GET', '/v1/issues');
  expect(body.issues).toEqual([]);
});

test.each([
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])(
  'a worker whose clock is %s opens the circuit by PostgreSQL’s clock, and the next worker probes in 30 s',
  async (_, shiftMs) => {
    const { client, databaseUrl } = system;
    const skewed = await system.startWorker({
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CLOCK_SHIFT_MS: String(shiftMs),
    });
    const acme = await Customer.onboard(client, { behaviour: () => ({ status: 503 }) });
    // One failure more, of a fourth delivery, and the circuit opens.
    await runSql(
      databaseUrl,
      `update consumer_runtime set failures = 9, first_failure_at = now() - interval '2 minutes',
                failed_deliveries = array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid()]
         where consumer_id = $1`,
      [acme.consumerId],
    );
    const accepted = await client.accept(achChange(acme.company, randomUUID()));
    const read = async () => {
      const [row] = await runSql<{ opened_ago_ms: number | null; probe_in_ms: number; failing_ms: number }>(
        databaseUrl,
        `select (extract(epoch from now() - circuit_opened_at) * 1000)::float8 as opened_ago_ms,
                  (extract(epoch from next_probe_at - now()) * 1000)::float8 as probe_in_ms,
                  (extract(epoch from now() - first_failure_at) * 1000)::float8 as failing_ms
           from consumer_runtime where consumer_id = $1`,
        [acme.consumerId],
      );
      return row?.opened_ago_ms == null ? undefined : { ...row, opened_ago_ms: row.opened_ago_ms };
    };
    const opened = await waitUntil(read, { what: 'the circuit to open' });
    expect(opened.opened_ago_ms).toBeGreaterThanOrEqual(0);
    // From the observation to its record passes a moment.
    expect(opened.opened_ago_ms + opened.probe_in_ms).toBeGreaterThan(FIRST_PROBE_MS - 10_000);
    expect(opened.opened_ago_ms + opened.probe_in_ms).toBeLessThan(FIRST_PROBE_MS + 1_000);
    expect(opened.failing_ms).toBeGreaterThanOrEqual(120_000);
    expect(opened.failing_ms).toBeLessThan(120_000 + HOUR_MS / 2);

    // The worker with the wrong clock leaves; every later decision is the next one's, by the times in PostgreSQL.
    await skewed.kill();
    acme.behave(() => ({}));
    await system.startWorker();
    await acme.waitForAcknowledged([accepted]);
    // The acknowledgement is recorded after the consumer has given it.
    const closed = await waitUntil(
      async () =>
        (
          await runSql<{ details: { downtimeMs: number } }>(
            databaseUrl,
            `select details from audit_log where target = $1 and action = 'consumer.circuit_closed'`,
            [`consumer:${acme.consumerId}`],
          )
        )[0],
      { what: 'the circuit to close' },
    );
    expect(closed.details.downtimeMs).toBeGreaterThan(FIRST_PROBE_MS - 10_000);
    expect(closed.details.downtimeMs).toBeLessThan(HOUR_MS / 2);
  },
);
