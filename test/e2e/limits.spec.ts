import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { achChange } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const MAX_PER_SECOND = 20;
const EVENTS = 200;
/** What the tolerance for jobs that come early and late may add to a second (libs/delivery/admit). */
const EARLY_AND_LATE = 2;

describe.each(QUEUE_BACKENDS)('a consumer’s limits over two workers, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend, workers: 2 });
  });
  afterAll(() => system.stop());

  test('it never has more open requests than maxConcurrency, and gets everything', async () => {
    const { client } = system;
    const limit = 3;
    let [open, most] = [0, 0];
    async function* answerAfterAWhile(): AsyncGenerator<string> {
      await pause(50);
      open -= 1;
      yield '';
    }
    const acme = await Customer.onboard(client, {
      maxConcurrency: limit,
      behaviour: () => {
        open += 1;
        most = Math.max(most, open);
        return { body: answerAfterAWhile() };
      },
    });
    const accepted = await Promise.all(
      Array.from({ length: 60 }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitToHaveTaken(accepted, 20_000);
    expect(most).toBe(limit);
    expect(acme.arrivals).toHaveLength(accepted.length);
  });

  test('no second has more POSTs than maxPerSecond, wherever it begins, and the rate is used', async () => {
    const { client } = system;
    const acme = await Customer.onboard(client, { maxPerSecond: MAX_PER_SECOND });
    const accepted = await Promise.all(
      Array.from({ length: EVENTS }, () => client.accept(achChange(acme.company, randomUUID()))),
    );
    await acme.waitToHaveTaken(accepted, 25_000);
    // By PostgreSQL's clock, at the lease: what a busy machine does to the way from there is not the limit's doing.
    const leased = await waitUntil(
      async () => {
        const rows = await runSql<{ at: Date }>(
          system.databaseUrl,
          `select first_attempt_at as at from deliveries where consumer_id = '${acme.consumerId}' and attempts = 1`,
        );
        return rows.length === EVENTS ? rows : undefined;
      },
      { deadlineMs: 10_000, what: 'every delivery to be recorded, with one attempt' },
    );
    const times = leased.map(({ at }) => at.getTime());
    const fullest = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
    );
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    expect(fullest).toBeLessThanOrEqual(MAX_PER_SECOND + EARLY_AND_LATE);
    // How much of the rate is used is the machine's affair too; half of it is what lost moments once came to.
    expect((EVENTS - 1) / seconds).toBeGreaterThanOrEqual(0.6 * MAX_PER_SECOND);
  }, 60_000);
});
