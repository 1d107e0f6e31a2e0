import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import type { BatchResultDto } from '#libs/contracts';
import type { BulkActionDto } from '#apps/api/src/resources/bulk-actions/bulk-action.dto';
import { Customer } from '#test/support/customer';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { QUEUE_BACKENDS, System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const DEADLINE_MS = 90_000;
/**
 * Dead after two attempts, a second apart. The timeout is long enough for a busy machine, since attempts are counted here and
 * a late answer would add one.
 */
const SHORT = { retrySchedule: [1], timeoutMs: 15_000, behaviour: () => ({ status: 500 }) };

describe.each(QUEUE_BACKENDS)('replay of 400 dead deliveries, with the queue on %s', (backend) => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ backend });
  }, 60_000);
  afterAll(() => system.stop());

  const accept = async (changes: readonly object[]): Promise<{ notificationId: string }[]> => {
    const answer = await system.client.call<BatchResultDto>('POST', '/v1/events/batch', { events: changes });
    return answer.body.results.map(({ notificationId = '' }) => ({ notificationId }));
  };
  const lives = (customer: Customer, from: number, to: number): object[] =>
    Array.from({ length: to - from }, (_, index) =>
      achSequence(customer.company, `payment-${String(from + index)}`),
    ).flat();
  const count = async (table: string): Promise<number> => {
    const rows = await runSql<{ count: number }>(
      system.databaseUrl,
      `select count(*)::int as count from ${table}`,
    );
    return rows[0]?.count ?? 0;
  };
  const action = async (id: string): Promise<BulkActionDto> =>
    (await system.client.call<BulkActionDto>('GET', `/v1/bulk-actions/${id}`)).body;

  test(
    'a replay of 400 dead deliveries continues after the kill of its worker and delivers each once, in order',
    async () => {
      const acme = await Customer.onboard(system.client, SHORT);
      const bolt = await Customer.onboard(system.client, SHORT);
      // Few enough to be dead before a circuit opens: a failing consumer gets 20 requests a second.
      const acmes = await accept(lives(acme, 0, 60));
      const bolts = await accept(lives(bolt, 0, 40));
      await waitUntil(async () => (await count("deliveries where state = 'dead'")) === 400, {
        deadlineMs: DEADLINE_MS,
        what: 'all 400 deliveries to be dead',
        everyMs: 200,
      });
      acme.behave(() => ({}));
      bolt.behave(() => ({}));
      const [former] = system.workers;
      await former?.kill();
      const before = acme.arrivals.length;

      // Blocks the first batch with deliveries to bolt, while those to acme continue.
      const holder = new Client({ connectionString: system.databaseUrl });
      await holder.connect();
      try {
        await holder.query('begin');
        await holder.query('select from deliveries where consumer_id = $1 for update', [bolt.consumerId]);
        const worker = await system.startWorker();
        const { body } = await system.client.call<BulkActionDto>('POST', '/v1/bulk-actions', {
          action: 'replay',
          filter: { state: 'dead' },
          reason: 'the customers are back',
        });
        expect(body.matched).toBe(400);
        await waitUntil(async () => (await action(body.id)).processed === 200, {
          what: 'the replay to have processed half of the deliveries',
        });
        await waitUntil(() => acme.arrivals.length > before + 50, {
          what: 'more than 50 replayed deliveries to arrive',
        });
        await worker.kill('SIGKILL');
        await holder.query('rollback');

        await system.startWorker();
        await Promise.all([
          acme.waitForAcknowledged(acmes, DEADLINE_MS),
          bolt.waitForAcknowledged(bolts, DEADLINE_MS),
        ]);
        expect(await action(body.id)).toMatchObject({
          state: 'finished',
          processed: 400,
          changed: 400,
          skipped: 0,
        });
      } finally {
        await holder.end();
      }
      await waitUntil(async () => (await count("deliveries where state = 'delivered'")) === 400, {
        deadlineMs: DEADLINE_MS,
        what: 'all 400 deliveries to be delivered',
        everyMs: 200,
      });
      for (const [customer, payments] of [
        [acme, 60],
        [bolt, 40],
      ] as const) {
        for (let payment = 0; payment < payments; payment += 1) {
          expect(customer.statusesOf(`payment-${String(payment)}`)).toEqual([...ACH_SEQUENCE]);
        }
      }
      expect(await count('pending_deliveries')).toBe(0);
      // Two attempts before the replay and one after, without a gap; attempts interrupted by the kill are not counted.
      const others = `select a.number, a.outcome, count(*)::int as count, max(a.duration_ms) as longest_ms
        from deliveries d join attempts a on a.delivery_id = d.id where d.attempts <> 3 group by 1, 2 order by 1, 2`;
      expect(await runSql(system.databaseUrl, others)).toEqual([]);
      expect(
        await count(
          '(select from attempts group by delivery_id having count(*) <> 3 or max(number) <> 3) wrong',
        ),
      ).toBe(0);
    },
    3 * DEADLINE_MS,
  );
});
