import { waitUntil } from '#test/support/wait-until';
import { Producer } from '#test/bench/engine/load';
import { nowMs } from '#test/bench/pipeline/clock';
import { openOf } from '#test/bench/engine/open-work';
import { Receivers } from '#test/bench/engine/receivers';
import {
  median,
  printTable,
  readArguments,
  round,
  say,
  writeJson,
  type Row,
} from '#test/bench/engine/report';
import { Stand } from '#test/bench/stand';

/**
 * What the order of a payment's statuses costs: the same load to consumers that want it and to consumers that opted
 * out, in turn. Throughput is deliveries that were accepted, sent, acknowledged and recorded, by the time from the
 * first POST until the last is recorded.
 *
 * Under `payment` the five statuses of one payment go one after the other. Each request posts the whole lives of 100
 * payments, so that most deliveries have to wait for their predecessor, and is followed by the next at once, so that
 * hundreds of payments are in flight: a payment's own pace is not the limit.
 */
const { json, numbers } = readArguments({ runs: 4, payments: 1_000, consumersOfMany: 20 });

const STATUSES = 5;
/** The most that a registration may ask for: more than both workers have slots. */
const MAX_CONCURRENCY = 1_000;
const ORDERINGS = ['payment', 'none'] as const;

interface Run extends Row {
  readonly consumers: number;
  readonly ordering: (typeof ORDERINGS)[number];
  readonly deliveries: number;
  readonly seconds: number;
  readonly per_second: number;
  /** Deliveries that once waited for their predecessor. */
  readonly waited_for_order: number;
  /** Attempts that were not acknowledged, and takes that led to none: nothing fails here, so both should be 0. */
  readonly failed_attempts: number;
  readonly lost_leases: number;
  /** From acceptance until recorded, of the slowest. */
  readonly slowest_s: number;
}

const stand = await Stand.open({ backend: 'redis', workers: 2 });
const receivers = await Receivers.start('answers', numbers.consumersOfMany);
const producer = new Producer(stand);
let serial = 0;
try {
  say('warming up');
  await oneRun(numbers.consumersOfMany, 'payment', 200);
  const runs: Run[] = [];
  for (let turn = 0; turn < numbers.runs; turn += 1) {
    for (const consumers of [1, numbers.consumersOfMany]) {
      // Whichever is first has the smaller tables.
      for (const ordering of turn % 2 === 0 ? ORDERINGS : ORDERINGS.toReversed()) {
        const run = await oneRun(consumers, ordering, numbers.payments);
        runs.push(run);
        say(JSON.stringify(run));
      }
    }
  }
  printTable('runs', runs);
  const summary = [1, numbers.consumersOfMany].map((consumers) => {
    const of = (ordering: string): number =>
      round(
        median(
          runs.filter((r) => r.consumers === consumers && r.ordering === ordering).map((r) => r.per_second),
        ),
      );
    return {
      consumers,
      payment: of('payment'),
      none: of('none'),
      ratio: round(of('payment') / of('none'), 3),
    };
  });
  printTable('deliveries a second, medians', summary);
  await writeJson(json, { numbers, runs, summary });
} finally {
  producer.close();
  receivers.stop();
  await stand.close();
}

async function oneRun(
  consumers: number,
  ordering: (typeof ORDERINGS)[number],
  payments: number,
): Promise<Run> {
  serial += 1;
  const run = `ORDER-${String(serial)}`;
  const companies = Array.from({ length: consumers }, (_, index) => `${run}-${String(index)}`);
  const ids = await Promise.all(
    companies.map(async (company, index) => {
      const { id } = await stand.client.registerConsumer({
        name: company,
        url: receivers.urls[index] ?? '',
        eventTypes: ['ach.status'],
        achCompanyIds: [company],
        credentials: { username: 'bank', password: 'secret of the bank' },
        maxConcurrency: MAX_CONCURRENCY,
        ordering,
      });
      return id;
    }),
  );
  const deliveries = payments * STATUSES;
  const before = receivers.requests;
  const startedAt = nowMs();
  await producer.postLives(companies, payments, run);
  await waitUntil(
    async () => receivers.requests - before >= deliveries && (await openOf(stand.sql, ids)) === 0,
    {
      deadlineMs: 180_000,
      what: () => `all to be delivered; ${String(receivers.requests - before)} are`,
      everyMs: 50,
    },
  );
  const seconds = (nowMs() - startedAt) / 1_000;
  const { rows } = await stand.sql.query<{
    waited: number;
    failed: number;
    lost: number;
    slowest: number;
  }>(
    `select count(*) filter (where round > 0)::int as waited, coalesce(sum(attempts - 1), 0)::int as failed,
            coalesce(sum(lease - attempts), 0)::int as lost,
            extract(epoch from max(finished_at - created_at))::float8 as slowest
     from deliveries where consumer_id = any ($1::uuid[])`,
    [ids],
  );
  return {
    consumers,
    ordering,
    deliveries,
    seconds: round(seconds),
    per_second: round(deliveries / seconds),
    waited_for_order: rows[0]?.waited ?? 0,
    failed_attempts: rows[0]?.failed ?? 0,
    lost_leases: rows[0]?.lost ?? 0,
    slowest_s: round(rows[0]?.slowest ?? 0),
  };
}
