import { expect, it } from 'vitest';
import { newId } from '#libs/contracts';
import { ConsumerHealthRepository, fetchDeliveries, leaveSessions } from '#libs/database';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';

const { reading, pipeline } = await fileDatabase();
const db = pipeline.db;
const health = new ConsumerHealthRepository(reading);

const insertDead = (consumerId: string, settled = false) =>
  sql`insert into deliveries (id, event_id, consumer_id, event_type, state, attempts, created_at, finished_at, settled_at)
      values (${newId()}, ${newId()}, ${consumerId}, 'ach.status', 'dead', 3, now(), now(),
              ${settled ? sql`now()` : null})`.execute(db);

const insertFailure = (consumerId: string, minutesAgo: number, httpStatus: number | null) =>
  sql`insert into attempts (delivery_id, failed_consumer_id, number, started_at, duration_ms, outcome, http_status, detail,
                            url, credential_version, request_headers, response_truncated)
      values (${newId()}, ${consumerId}, 1, now() - ${minutesAgo} * interval '1 minute', 5,
              ${httpStatus === null ? 'timeout' : 'http_status'}, ${httpStatus},
              ${`minute ${String(minutesAgo)}`}, '', 1, '{}', false)`.execute(db);

it('consumer health counts dead deliveries that are not settled, without those of removed consumers', async () => {
  const [notSettled, settled, removed] = [
    await insertConsumer(db),
    await insertConsumer(db),
    await insertConsumer(db),
  ];
  await insertDead(notSettled);
  await insertDead(notSettled);
  await insertDead(notSettled, true);
  await insertDead(settled, true);
  await insertDead(removed);
  await sql`update consumers set deleted_at = now() where id = ${removed}`.execute(db);
  expect(await health.dead()).toEqual([{ consumer_id: notSettled, count: 2, oldest_at: expect.any(Date) }]);
});

it('consumer health groups the newest failures by cause, and shows when their unbroken series began', async () => {
  const consumer = await insertConsumer(db);
  for (const [minutesAgo, status] of [
    [40, 500],
    [20, null],
    [10, 503],
    [2, 503],
    [1, null],
  ] as const)
    await insertFailure(consumer, minutesAgo, status);
  const causes = await health.causes([{ id: consumer, failures: 3 }]);
  expect(causes).toMatchObject([
    { outcome: 'http_status', http_status: 503, count: 2, detail: 'minute 2' },
    { outcome: 'timeout', http_status: null, count: 1, detail: 'minute 1' },
  ]);
  // The failures began 20 minutes ago: more than 15 minutes lie between that one and the one before it.
  const ageMs = Date.now() - (causes[0]?.failing_since.getTime() ?? 0);
  expect(Math.round(ageMs / 60_000)).toBe(20);
  expect(await health.causes([{ id: await insertConsumer(db), failures: 3 }])).toEqual([]);
});

it('consumer health counts pending deliveries exactly, and sums recent acceptances and attempts', async () => {
  const consumer = await insertConsumer(db);
  await sql`insert into pending_deliveries (id, event_id, consumer_id, event_type)
            select gen_random_uuid(), gen_random_uuid(), ${consumer}, 'ach.status' from generate_series(1, 7)`.execute(
    db,
  );
  expect((await health.waiting()).get(consumer)).toBe(7);
  await sql`insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts,
                                       failed_attempts, latency)
            values (${consumer}, now() - interval '10 minutes', ${newId()}, 100, 100, 0, 110, 10, '{}'),
                   (${consumer}, now() - interval '1 minute', ${newId()}, 20, 5, 1, 8, 8, '{}'),
                   -- Of a process whose clock is ahead.
                   (${consumer}, now() + interval '1 hour', ${newId()}, 1000, 0, 0, 1000, 1000, '{}')`.execute(
    db,
  );
  const found = (await health.activity(15 * 60_000, 5 * 60_000)).find(
    ({ consumer_id: id }) => id === consumer,
  );
  expect(found).toMatchObject({
    accepted: 20,
    finished: 6,
    failed_lately: 8,
    attempts: 118,
    failed_attempts: 18,
    died_lately: 1,
  });
  // Four whole minutes, and the current one so far.
  expect(Math.floor(found?.minutes ?? 0)).toBe(4);
  expect(Math.round((Date.now() - (found?.succeeded_at?.getTime() ?? 0)) / 60_000)).toBe(10);
});

it('consumer health counts what was delivered since a circuit closed or a pause ended, so that the rate is not mixed with the outage', async () => {
  const [consumer, other] = [await insertConsumer(db), await insertConsumer(db)];
  for (const id of [consumer, other])
    await sql`insert into stats_minutes (consumer_id, minute, process_id, accepted, delivered, dead, attempts,
                                         failed_attempts, latency)
              values (${id}, date_trunc('minute', now()) - interval '3 minutes', ${newId()}, 20, 7, 0, 8, 8, '{}'),
                     (${id}, date_trunc('minute', now()) - interval '1 minute', ${newId()}, 20, 40, 0, 40, 0, '{}')`.execute(
      db,
    );
  const activity = async () => {
    const rows = await health.activity(15 * 60_000, 5 * 60_000);
    return [consumer, other].map((id) => {
      const { finished, sending_minutes, recovered_at } = rows.find((row) => row.consumer_id === id) ?? {};
      return [finished, recovered_at == null ? null : Math.round(sending_minutes ?? 0)];
    });
  };
  await sql`insert into audit_log (actor, role, action, target, details, at)
            values ('dispatcher', 'dispatcher', 'consumer.circuit_closed', ${`consumer:${consumer}`}, '{}', now() - interval '2 minutes')`.execute(
    db,
  );
  expect(await activity()).toEqual([
    [40, 2],
    [47, null],
  ]);
  await sql`insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
            values (null, 'paused', now() - interval '1 hour', now() - interval '30 seconds')`.execute(db);
  expect((await activity()).map(([, minutes]) => minutes)).toEqual([1, 1]);
  await sql`delete from excluded_downtime where consumer_id is null`.execute(db);
});

it('consumer health has the first attempt of the delivery that fails for the longest time, not of one whose first attempt waits', async () => {
  const consumer = await insertConsumer(db);
  const insertPending = (minutesAgo: number | null, step: number, sinceMinutesAgo = 60) =>
    sql`insert into pending_deliveries (id, event_id, consumer_id, event_type, schedule_step, first_attempt_at, pending_since)
        values (gen_random_uuid(), gen_random_uuid(), ${consumer}, 'ach.status', ${step},
                now() - make_interval(mins => ${minutesAgo}::int), now() - make_interval(mins => ${sinceMinutesAgo}::int))`.execute(
      db,
    );
  const failingForMinutes = async () => {
    const [found] = await health.conditions([consumer]);
    return found?.oldest_failed_at == null
      ? null
      : Math.round((found.as_of.getTime() - found.oldest_failed_at.getTime()) / 60_000);
  };
  await insertPending(null, 0);
  // Its only attempt was lost by a fault of the dispatcher.
  await insertPending(50, 0);
  expect(await failingForMinutes()).toBeNull();
  await insertPending(4, 2);
  await insertPending(7, 3);
  expect(await failingForMinutes()).toBe(7);
  // A person has replayed it, and it has failed again.
  await insertPending(600, 1, 9);
  expect(await failingForMinutes()).toBe(9);
});

it('leaving a session stores the consumer’s last success, and a later one does not erase it', async () => {
  const consumerId = await insertConsumer(db);
  const lastSuccess = async () => (await health.conditions([consumerId]))[0]?.last_success_at;
  const [opened] = await fetchDeliveries(pipeline, [{ consumerId, session: null, wanted: 1, inFlight: [] }]);
  const session = {
    consumerId,
    session: opened?.consumer.session ?? 0,
    nextSendInMs: null,
    succeededMsAgo: null,
    sent: [],
  };
  await leaveSessions(pipeline, [session]);
  expect(await lastSuccess()).toBeNull();
  await leaveSessions(pipeline, [{ ...session, succeededMsAgo: 3_600_000 }]);
  const lastSuccessAt = await lastSuccess();
  expect(Math.round((Date.now() - (lastSuccessAt?.getTime() ?? 0)) / 60_000)).toBe(60);
  await leaveSessions(pipeline, [session]);
  expect(await lastSuccess()).toEqual(lastSuccessAt);
});

it('what waited for the end of a pause is late from then on', async () => {
  const [resumed, other] = [await insertConsumer(db), await insertConsumer(db)];
  for (const consumer of [resumed, other])
    await sql`insert into pending_deliveries (id, event_id, consumer_id, event_type, next_attempt_at)
              values (gen_random_uuid(), gen_random_uuid(), ${consumer}, 'ach.status', now() - interval '10 minutes')`.execute(
      db,
    );
  await sql`insert into excluded_downtime (consumer_id, cause, began_at, ended_at)
            values (${resumed}, 'paused', now() - interval '3 hours', now() - interval '2 hours'),
                   (${resumed}, 'paused', now() - interval '20 minutes', now() - interval '2 minutes')`.execute(
    db,
  );
  const minutesLate = Object.fromEntries(
    (await health.conditions([resumed, other])).map(({ id, as_of, oldest_due_at }) => [
      id,
      Math.round((as_of.getTime() - (oldest_due_at?.getTime() ?? 0)) / 60_000),
    ]),
  );
  expect(minutesLate).toEqual({ [resumed]: 2, [other]: 10 });
});
