import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConsumersRepository,
  noteSecretFault,
  pauseConsumer,
  wakeTimes,
  WorkersRepository,
} from '#libs/database';
import { DispatchQueue } from '#libs/queue';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Reconcile } from '#apps/worker/src/maintenance/reconcile';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { AUDIT } from '#test/support/actor';
const LIMITS = { overdueMs: 5_000, withinMs: 20_000 };

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

const queue = dispatcher.app.get(DispatchQueue, { strict: false });
const reconcile = dispatcher.app.get(Reconcile, { strict: false });
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sql`delete from pending_deliveries`.execute(dispatcher.db);
  await sql`delete from workers`.execute(dispatcher.db);
});

/** Accepts a delivery that is due in so many seconds; a negative number makes it overdue. */
async function deliveryDueIn(seconds: number, of = recipient): Promise<string> {
  const [id = ''] = await of.acceptPayments(1);
  await sql`update pending_deliveries set next_attempt_at = now() + ${seconds}::float8 * interval '1 second'
    where id = ${id}`.execute(dispatcher.db);
  return id;
}

/** Inserts consumers, each with so many deliveries that are due after this time. */
async function insertConsumers(ids: readonly string[], dueAfter: string, deliveries: number): Promise<void> {
  await sql`
    insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                           ordering, timeout_ms, max_concurrency)
    select id, 'many', 'http://127.0.0.1:9/', '{}', '{}', '{}', false, 'seconds', 'payment', 1, 1
    from unnest(${ids}::uuid[]) id`.execute(dispatcher.db);
  await sql`insert into consumer_runtime (consumer_id) select unnest(${ids}::uuid[])`.execute(dispatcher.db);
  await sql`
    insert into pending_deliveries (id, event_id, consumer_id, event_type, next_attempt_at)
    select gen_random_uuid(), gen_random_uuid(), id, 'ach.status', now() + ${dueAfter}::interval
    from unnest(${ids}::uuid[]) id, generate_series(1, ${deliveries}::int)`.execute(dispatcher.db);
}

const foundConsumers = async (): Promise<string[]> =>
  (await wakeTimes(dispatcher.db, LIMITS)).map(({ consumerId }) => consumerId);

async function workerServes(consumerId: string, seenSecondsAgo: number): Promise<void> {
  const id = uuidv7();
  await dispatcher.app.get(WorkersRepository, { strict: false }).beat({
    id,
    host: 'here',
    pid: 1,
    concurrency: 1,
    sending: [],
    sessions: [consumerId],
    lasting: 0,
    atLimit: [],
  });
  await sql`update workers set seen_at = now() - ${seenSecondsAgo}::float8 * interval '1 second'
    where id = ${id}`.execute(dispatcher.db);
}

describe('consumers found by reconcile', () => {
  it('reconcile finds an overdue consumer by its longest overdue delivery', async () => {
    await deliveryDueIn(3_600);
    await deliveryDueIn(-6);
    expect(await wakeTimes(dispatcher.db, LIMITS)).toEqual([
      { consumerId: recipient.id, inMs: expect.closeTo(-6_000, -4) },
    ]);
  });

  it('reconcile finds a consumer with a delivery that is due within 20 s', async () => {
    await deliveryDueIn(19);
    expect(await wakeTimes(dispatcher.db, LIMITS)).toEqual([
      { consumerId: recipient.id, inMs: expect.closeTo(19_000, -4) },
    ]);
  });

  it.each([
    { what: 'one that became due a second ago', seconds: -1 },
    { what: 'one that is due after 20 s', seconds: 30 },
  ])('reconcile ignores a consumer whose only delivery is $what', async ({ seconds }) => {
    await deliveryDueIn(seconds);
    expect(await foundConsumers()).toEqual([]);
  });

  it('reconcile ignores a consumer that a live worker serves, and finds it when the worker stops reporting', async () => {
    await deliveryDueIn(-60);
    await workerServes(recipient.id, 0);
    expect(await foundConsumers()).toEqual([]);
    await sql`delete from workers`.execute(dispatcher.db);
    await workerServes(recipient.id, 7);
    expect(await foundConsumers()).toEqual([recipient.id]);
  });

  it('reconcile ignores a pause, a secret fault and an open circuit, and finds a circuit with a probe due soon', async () => {
    const [paused, unreadable, down] = [
      await Recipient.add(dispatcher),
      await Recipient.add(dispatcher),
      await Recipient.add(dispatcher),
    ];
    for (const each of [paused, unreadable, down]) await deliveryDueIn(-60, each);
    await pauseConsumer(dispatcher.db, paused.id, 'maintenance', AUDIT);
    await noteSecretFault(dispatcher.db, unreadable.id, 'no key k9');
    const probeIn = (ms: number): Promise<unknown> =>
      sql`update consumer_runtime set failures = 10, circuit_opened_at = now(),
            next_probe_at = now() + ${ms} * interval '1 millisecond' where consumer_id = ${down.id}`.execute(
        dispatcher.db,
      );
    await probeIn(600_000);
    expect(await foundConsumers()).toEqual([]);
    await probeIn(15_000);
    expect(await foundConsumers()).toEqual([down.id]);
  });

  it('reconcile reads one index entry per consumer, regardless of how much is pending', async () => {
    await insertConsumers(
      Array.from({ length: 10_000 }, () => uuidv7()),
      '1 hour',
      5,
    );
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type, next_attempt_at)
      select gen_random_uuid(), gen_random_uuid(), ${recipient.id}, 'ach.status', now() - interval '1 hour'
      from generate_series(1, 20000)`.execute(dispatcher.db);
    await sql`analyze pending_deliveries`.execute(dispatcher.db);

    const compiled = sql`select * from consumer_wake where wake_at is not null`.compile(dispatcher.db);
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
      explain (analyze, format json) ${sql.raw(compiled.sql)}`.execute(dispatcher.db);
    const reads = nodesIn(rows[0]?.['QUERY PLAN']).filter(
      (node) => node['Relation Name'] === 'pending_deliveries',
    );
    expect(reads).toEqual([
      expect.objectContaining({
        'Index Name': 'pending_deliveries_due',
        'Actual Rows': expect.closeTo(1, 0),
      }),
    ]);

    expect(await foundConsumers()).toEqual([recipient.id]);
    await sql`delete from consumer_runtime where consumer_id in (select id from consumers where name = 'many')`.execute(
      dispatcher.db,
    );
    await sql`delete from consumers where name = 'many'`.execute(dispatcher.db);
  });
});

type PlanNode = Readonly<Record<string, unknown>>;

function nodesIn(value: unknown): PlanNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  const node: PlanNode = { ...value };
  return [node, ...Object.values(node).flatMap(nodesIn)];
}

describe('run of reconcile', () => {
  it('reconcile sets a timer for a consumer that is due soon, and duplicates no job or timer', async () => {
    const other = await Recipient.add(dispatcher);
    await deliveryDueIn(-60);
    await deliveryDueIn(15, other);
    // Accepting a delivery has already enqueued its consumer.
    await queue.flush();
    const before = await queue.counts(5_000);
    expect(await reconcile.run()).toEqual({ fault: null });
    const after = await queue.counts(5_000);
    expect(after.waiting).toBe(before.waiting);
    expect(after.delayed).toBe(before.delayed + 1);
    expect(await reconcile.run()).toEqual({ fault: null });
    expect(await queue.counts(5_000)).toEqual(after);
  });

  it('reconcile adds overdue consumers in chunks of 200', async () => {
    const ids = Array.from({ length: 450 }, () => uuidv7());
    await insertConsumers(ids, '-1 hour', 1);
    const adds = vi.spyOn(queue, 'addConsumers');
    await reconcile.run();
    expect(adds.mock.calls.map(([chunk]) => chunk.length)).toEqual([200, 200, 50]);
    expect(adds.mock.calls.flatMap(([chunk]) => chunk).toSorted()).toEqual(ids.toSorted());
  });

  it('reconcile cancels deliveries of a removed consumer while the queue is unreachable, and returns the fault', async () => {
    const id = await deliveryDueIn(-60);
    await dispatcher.app.get(ConsumersRepository, { strict: false }).remove(recipient.id, AUDIT);
    // Simulates a delivery that was accepted during the removal.
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type)
      select ${uuidv7()}, event_id, consumer_id, event_type from deliveries where id = ${id}`.execute(
      dispatcher.db,
    );
    await deliveryDueIn(-60, await Recipient.add(dispatcher));
    vi.spyOn(queue, 'addConsumers').mockRejectedValue(new Error('the queue is unreachable'));
    expect(await reconcile.run()).toEqual({ fault: expect.stringContaining('the queue is unreachable') });
    const { rows } = await sql`
      select state, end_reason from deliveries where consumer_id = ${recipient.id}`.execute(dispatcher.db);
    expect(rows).toEqual(
      Array.from({ length: 2 }, () => ({ state: 'cancelled', end_reason: 'consumer_removed' })),
    );
  });

  it('reconcile tries faulty credentials again and enqueues their consumer when they work', async () => {
    const [id = ''] = await recipient.acceptPayments(1);
    await noteSecretFault(dispatcher.db, recipient.id, 'no key k9');
    expect(await stateOf(dispatcher, id)).toBe('held:secret');
    const enqueued = vi.spyOn(queue, 'enqueue');
    expect(await reconcile.run()).toEqual({ fault: null });
    expect(await stateOf(dispatcher, id)).toBe('queued');
    expect(enqueued.mock.calls.flatMap(([consumers]) => consumers)).toContain(recipient.id);
    expect(await recipient.audited()).toEqual(['consumer.secret_fault', 'consumer.secret_restored']);
  });
});
