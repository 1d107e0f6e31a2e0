import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConsumersRepository,
  noteSecretFault,
  pauseConsumer,
  wakeTimes,
  WorkersRepository,
  writeHealth,
  type AuditEntry,
} from '#libs/database';
import { DispatchQueue } from '#libs/queue';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { Reconcile } from '#apps/worker/src/maintenance/reconcile';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';

const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };
const LIMITS = { overdueMs: 5_000, withinMs: 20_000 };

let dispatcher: DispatcherInProcess;
let queue: DispatchQueue;
let reconcile: Reconcile;
let recipient: Recipient;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
  queue = dispatcher.app.get(DispatchQueue, { strict: false });
  reconcile = dispatcher.app.get(Reconcile, { strict: false });
});
afterAll(() => dispatcher.close());
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sql`delete from pending_deliveries`.execute(dispatcher.db);
  await sql`delete from workers`.execute(dispatcher.db);
});

/** A delivery of this consumer that is due so many seconds from now, or since then. */
async function dueIn(seconds: number, of = recipient): Promise<string> {
  const [id = ''] = await of.acceptPayments(1);
  await sql`update pending_deliveries set next_attempt_at = now() + ${seconds}::float8 * interval '1 second'
    where id = ${id}`.execute(dispatcher.db);
  return id;
}

const found = async (): Promise<string[]> =>
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
    atLimit: [],
  });
  await sql`update workers set seen_at = now() - ${seenSecondsAgo}::float8 * interval '1 second'
    where id = ${id}`.execute(dispatcher.db);
}

describe('reconcile finds', () => {
  it('a consumer that is overdue, by its longest due delivery', async () => {
    await dueIn(3_600);
    await dueIn(-6);
    expect(await wakeTimes(dispatcher.db, LIMITS)).toEqual([
      { consumerId: recipient.id, inMs: expect.closeTo(-6_000, -4) },
    ]);
  });

  it('a consumer that has something to do soon', async () => {
    await dueIn(19);
    expect(await wakeTimes(dispatcher.db, LIMITS)).toEqual([
      { consumerId: recipient.id, inMs: expect.closeTo(19_000, -4) },
    ]);
  });

  it.each([
    { what: 'what is due since a moment ago', seconds: -1 },
    { what: 'what is due later', seconds: 30 },
  ])('not $what', async ({ seconds }) => {
    await dueIn(seconds);
    expect(await found()).toEqual([]);
  });

  it('not a consumer that a live worker serves, but one of a worker that is not heard of any more', async () => {
    await dueIn(-60);
    await workerServes(recipient.id, 0);
    expect(await found()).toEqual([]);
    await sql`delete from workers`.execute(dispatcher.db);
    await workerServes(recipient.id, 7);
    expect(await found()).toEqual([recipient.id]);
  });

  it('not a consumer that must not be sent to, and one whose circuit is open when its probe is due', async () => {
    const [paused, unreadable, down] = [
      await Recipient.add(dispatcher),
      await Recipient.add(dispatcher),
      await Recipient.add(dispatcher),
    ];
    for (const each of [paused, unreadable, down]) await dueIn(-60, each);
    await pauseConsumer(dispatcher.db, paused.id, 'maintenance', AUDIT);
    await noteSecretFault(dispatcher.db, unreadable.id, 'no key k9');
    const probeIn = (ms: number): Promise<void> =>
      dispatcher.db.transaction().execute((trx) =>
        writeHealth(
          trx,
          down.id,
          {
            failures: 10,
            failedDeliveries: [],
            firstFailureAt: new Date(),
            circuit: { openedAt: new Date(), failedProbes: 0, nextProbeAt: new Date(Date.now() + ms) },
          },
          { circuit: true },
        ),
      );
    await probeIn(600_000);
    expect(await found()).toEqual([]);
    await probeIn(15_000);
    expect(await found()).toEqual([down.id]);
  });

  it('what there is by one probe of an index for each consumer, however much is pending', async () => {
    await sql`
      with made as (
        insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                               ordering, timeout_ms, max_concurrency)
        select gen_random_uuid(), 'many', 'http://127.0.0.1:9/', '{}', '{}', '{}', false, 'seconds', 'payment', 1, 1
        from generate_series(1, 10000) returning id
      )
      insert into consumer_runtime (consumer_id) select id from made`.execute(dispatcher.db);
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type, next_attempt_at)
      select gen_random_uuid(), gen_random_uuid(), id, 'ach.status', now() + interval '1 hour'
      from consumers, generate_series(1, 5) where name = 'many'`.execute(dispatcher.db);
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

    expect(await found()).toEqual([recipient.id]);
    await sql`delete from consumer_runtime where consumer_id in (select id from consumers where name = 'many')`.execute(
      dispatcher.db,
    );
    await sql`delete from consumers where name = 'many'`.execute(dispatcher.db);
  });
});

type PlanNode = Readonly<Record<string, unknown>>;

/** Every node of a plan. */
function nodesIn(value: unknown): PlanNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  const node: PlanNode = { ...value };
  return [node, ...Object.values(node).flatMap(nodesIn)];
}

describe('a run of reconcile', () => {
  it('gives who is overdue a job, and who has something to do soon a timer, and repeats itself in vain', async () => {
    const other = await Recipient.add(dispatcher);
    await dueIn(-60);
    await dueIn(15, other);
    // What accepting has added counts as well.
    await queue.flush();
    const before = await queue.counts(5_000);
    expect(await reconcile.run()).toEqual({ fault: null });
    const after = await queue.counts(5_000);
    expect(after.waiting).toBe(before.waiting);
    expect(after.delayed).toBe(before.delayed + 1);
    expect(await reconcile.run()).toEqual({ fault: null });
    expect(await queue.counts(5_000)).toEqual(after);
  });

  it('adds in chunks of 200', async () => {
    const ids = Array.from({ length: 450 }, () => uuidv7());
    await sql`
      insert into consumers (id, name, url, event_types, ach_company_ids, wire_company_ids, all_payments, timestamp_unit,
                             ordering, timeout_ms, max_concurrency)
      select id, 'chunks', 'http://127.0.0.1:9/', '{}', '{}', '{}', false, 'seconds', 'payment', 1, 1
      from unnest(${ids}::uuid[]) id`.execute(dispatcher.db);
    await sql`insert into consumer_runtime (consumer_id) select unnest(${ids}::uuid[])`.execute(
      dispatcher.db,
    );
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type, next_attempt_at)
      select gen_random_uuid(), gen_random_uuid(), id, 'ach.status', now() - interval '1 hour'
      from unnest(${ids}::uuid[]) id`.execute(dispatcher.db);
    const adds = vi.spyOn(queue, 'addConsumers');
    await reconcile.run();
    expect(adds.mock.calls.map(([chunk]) => chunk.length)).toEqual([200, 200, 50]);
    expect(adds.mock.calls.flatMap(([chunk]) => chunk).toSorted()).toEqual(ids.toSorted());
  });

  it('does the rest while the queue is away, and says what it could not', async () => {
    const id = await dueIn(-60);
    await dispatcher.app.get(ConsumersRepository, { strict: false }).remove(recipient.id, AUDIT);
    // As what was accepted during the removal.
    await sql`
      insert into pending_deliveries (id, event_id, consumer_id, event_type)
      select ${uuidv7()}, event_id, consumer_id, event_type from deliveries where id = ${id}`.execute(
      dispatcher.db,
    );
    await dueIn(-60, await Recipient.add(dispatcher));
    vi.spyOn(queue, 'addConsumers').mockRejectedValue(new Error('the queue is away'));
    expect(await reconcile.run()).toEqual({ fault: expect.stringContaining('the queue is away') });
    const { rows } = await sql`
      select state, end_reason from deliveries where consumer_id = ${recipient.id}`.execute(dispatcher.db);
    expect(rows).toEqual(
      Array.from({ length: 2 }, () => ({ state: 'cancelled', end_reason: 'consumer_removed' })),
    );
  });

  it('tries broken credentials again, and enqueues whose work', async () => {
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
