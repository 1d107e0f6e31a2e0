import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  consumersDue,
  pauseByAnswer,
  pauseConsumer,
  pauseSending,
  resumeConsumer,
  resumeExpiredPauses,
  resumeSending,
} from '#libs/database';
import { DispatchQueue } from '#libs/queue';
import { sql } from 'kysely';
import { Pauses } from '#apps/worker/src/maintenance/pauses';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt, TestSession } from '#test/support/test-session';
import { AUDIT } from '#test/support/actor';

const dispatcher = await startDispatcherInProcess();
let recipient: Recipient;

beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

const open = (): Promise<TestSession> => TestSession.open(dispatcher.pipeline, recipient.id);

async function due(): Promise<string[]> {
  const session = await open();
  return (await session.fetch()).map(({ id }) => id);
}

/** Opens the circuit of the consumer; the next probe is due in an hour. */
const openCircuit = (): Promise<unknown> =>
  sql`update consumer_runtime set failures = 10, circuit_opened_at = now(), failed_probes = 3,
        next_probe_at = now() + interval '1 hour' where consumer_id = ${recipient.id}`.execute(dispatcher.db);

const runtime = () =>
  dispatcher.db
    .selectFrom('consumer_runtime')
    .selectAll()
    .where('consumer_id', '=', recipient.id)
    .executeTakeFirstOrThrow();

const row = () =>
  dispatcher.db
    .selectFrom('consumers')
    .select(['state', 'paused_at', 'paused_until', 'pause_reason'])
    .where('id', '=', recipient.id)
    .executeTakeFirstOrThrow();

const secondsUntilWake = async (): Promise<number | null> => {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from wake_at - now())::float8 as seconds from consumer_wake
    where consumer_id = ${recipient.id}`.execute(dispatcher.db);
  return rows[0]?.seconds ?? null;
};

describe('pause of a consumer', () => {
  it('a pause stops the next fetch of an open session, and a resume sends the kept deliveries in order', async () => {
    const [first = '', ...later] = await recipient.acceptPayments(4);
    const session = await open();
    expect(await session.fetch(1)).toMatchObject([{ id: first }]);
    expect(await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT)).toBe(true);
    expect(await session.fetch()).toEqual([]);
    expect(await secondsUntilWake()).toBeNull();
    // A request in flight is still recorded.
    expect(await session.record(first, { state: 'delivered' })).toBe(true);
    expect(await stateOf(dispatcher, later[0] ?? '')).toBe('held:paused');

    expect(await resumeConsumer(dispatcher.db, recipient.id, AUDIT)).toBe(true);
    expect(await due()).toEqual(later);
  });

  it('a repeated pause keeps the start of the first one and stores the new reason', async () => {
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    const { paused_at } = await row();
    await pauseConsumer(dispatcher.db, recipient.id, 'an incident', AUDIT);
    expect(await row()).toMatchObject({ paused_at, pause_reason: 'an incident' });
  });

  it('records a finished pause once, as downtime that counts against no delivery', async () => {
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    const { rows } = await sql`
      select cause, ended_at > began_at as lasted from excluded_downtime where consumer_id = ${recipient.id}`.execute(
      dispatcher.db,
    );
    expect(rows).toEqual([{ cause: 'paused', lasted: true }]);
  });

  it('a pause of the dispatcher stops all consumers, and its resume keeps individually paused ones paused', async () => {
    const other = await Recipient.add(dispatcher);
    await recipient.acceptPayments(1);
    const held = await other.accept('payment');
    await pauseConsumer(dispatcher.db, other.id, 'maintenance', AUDIT);
    await pauseSending(dispatcher.db, 'an incident', AUDIT);
    expect([await due(), await consumersDue(dispatcher.db)]).toEqual([[], []]);
    await resumeSending(dispatcher.db, AUDIT);
    expect(await consumersDue(dispatcher.db)).toContain(recipient.id);
    expect(await consumersDue(dispatcher.db)).not.toContain(other.id);
    expect(await stateOf(dispatcher, held)).toBe('held:paused');
  });

  it('refuses to pause or resume an unknown consumer', async () => {
    const unknownId = '0199c2f2-7b5e-7c3a-8f00-000000000000';
    expect(await pauseConsumer(dispatcher.db, unknownId, 'maintenance', AUDIT)).toBe(false);
    expect(await resumeConsumer(dispatcher.db, unknownId, AUDIT)).toBe(false);
  });
});

describe('pause with a planned end', () => {
  const pauseFor = (seconds: number): Promise<boolean> =>
    pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT, new Date(Date.now() + seconds * 1_000));
  const resumeOver = async () => (await resumeExpiredPauses(dispatcher.db)).resumed;
  const downtimes = async (): Promise<number> => {
    const found = await dispatcher.db
      .selectFrom('excluded_downtime')
      .select('id')
      .where('consumer_id', '=', recipient.id)
      .where('cause', '=', 'paused')
      .execute();
    return found.length;
  };

  it('the dispatcher resumes a paused consumer at the planned end of its pause, as an operator would', async () => {
    const ids = await recipient.acceptPayments(2);
    await pauseFor(3_600);
    expect(await resumeOver()).toEqual([]);
    expect(await due()).toEqual([]);

    await pauseFor(-1);
    const { paused_until } = await row();
    expect(await resumeOver()).toEqual([
      { consumerId: recipient.id, kind: 'resumed', details: { pausedUntil: paused_until?.toISOString() } },
    ]);
    expect(await row()).toEqual({ state: 'active', paused_at: null, paused_until: null, pause_reason: null });
    expect(await downtimes()).toBe(1);
    const last = await dispatcher.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'reason'])
      .where('target', '=', `consumer:${recipient.id}`)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({
      actor: 'dispatcher',
      action: 'consumer.resumed',
      reason: 'The pause has reached its planned end.',
    });
    expect(await consumersDue(dispatcher.db)).toContain(recipient.id);
    expect(await due()).toEqual(ids);
    expect(await resumeOver()).toEqual([]);
  });

  it('the last of several pauses decides the planned end: a later one, or none', async () => {
    await pauseFor(-1);
    await pauseFor(3_600);
    expect(await resumeOver()).toEqual([]);
    await pauseFor(-1);
    await pauseConsumer(dispatcher.db, recipient.id, 'an incident', AUDIT);
    expect(await row()).toMatchObject({ paused_until: null, pause_reason: 'an incident' });
    expect(await resumeOver()).toEqual([]);
  });

  it('the planned end of a pause keeps an open circuit open and makes a probe due', async () => {
    await recipient.acceptPayments(1);
    await openCircuit();
    await pauseFor(-1);
    await resumeOver();
    const { circuit_opened_at, next_probe_at } = await runtime();
    expect(circuit_opened_at).toEqual(expect.any(Date));
    expect(next_probe_at?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('an expired pause ends once when two workers and an operator resume the consumer concurrently', async () => {
    for (let repetition = 0; repetition < 5; repetition += 1) {
      const before = await downtimes();
      await pauseFor(-1);
      await Promise.all([resumeOver(), resumeConsumer(dispatcher.db, recipient.id, AUDIT), resumeOver()]);
      expect(await downtimes()).toBe(before + 1);
      expect(await row()).toMatchObject({ state: 'active', paused_until: null });
    }
  });

  it('a consumer stays paused when an operator pauses it again at the planned end of the first pause', async () => {
    for (let repetition = 0; repetition < 5; repetition += 1) {
      await pauseFor(-1);
      await Promise.all([resumeOver(), pauseFor(3_600)]);
      expect(await row()).toMatchObject({ state: 'paused', paused_until: expect.any(Date) });
      expect(await resumeOver()).toEqual([]);
    }
  });

  it('a consumer whose pause cannot be ended does not hold back the others, and those are enqueued', async () => {
    const ids: string[] = [];
    for (const secondsAgo of [3, 2, 1]) {
      const { id } = await Recipient.add(dispatcher);
      await pauseConsumer(dispatcher.db, id, 'work', AUDIT, new Date(Date.now() - secondsAgo * 1_000));
      ids.push(id);
    }
    const [first, second, third] = ids;
    await sql`alter table excluded_downtime add constraint refused check (consumer_id <> ${sql.lit(second)})`.execute(
      dispatcher.db,
    );
    const enqueue = vi.spyOn(dispatcher.app.get(DispatchQueue, { strict: false }), 'enqueue');
    try {
      const result = await dispatcher.app.get(Pauses, { strict: false }).run();
      expect(result).toEqual({ fault: expect.stringContaining('1 consumer') });
      expect(enqueue.mock.calls.flatMap(([given]) => given)).toEqual([first, third]);
    } finally {
      enqueue.mockRestore();
      await sql`alter table excluded_downtime drop constraint refused`.execute(dispatcher.db);
    }
    // A later run repeats it.
    expect(await resumeOver()).toMatchObject([{ consumerId: second }]);
  });

  it('does not resume a removed consumer at the planned end of its pause', async () => {
    await pauseFor(-1);
    await dispatcher.db
      .updateTable('consumers')
      .set({ deleted_at: new Date() })
      .where('id', '=', recipient.id)
      .execute();
    expect(await resumeOver()).toEqual([]);
  });
});

describe('resume with an open circuit', () => {
  it('a resume with an open circuit makes a probe due at once and leaves the circuit open', async () => {
    await recipient.acceptPayments(2);
    await openCircuit();
    expect(await secondsUntilWake()).toBeGreaterThan(3_000);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await secondsUntilWake()).toBeLessThanOrEqual(0);
    const { circuit_opened_at, failed_probes, next_probe_at } = await runtime();
    expect([circuit_opened_at, failed_probes]).toEqual([expect.any(Date), 3]);
    expect(next_probe_at?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('a resume with an open circuit makes the first delivery of a payment due when all wait for a retry', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await attempt(dispatcher.pipeline, first, { retryInMs: 7_200_000, spendsAttempt: true });
    await sql`update pending_deliveries set next_attempt_at = now() + interval '5 minutes' where id = ${second}`.execute(
      dispatcher.db,
    );
    await openCircuit();
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await due()).toEqual([first]);
  });

  it('a resume with a closed circuit does not hasten waiting retries', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id, { retryInMs: 7_200_000, spendsAttempt: true });
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await due()).toEqual([]);
  });
});

describe('answer 410', () => {
  it('an answer 410 pauses the consumer and is audited once', async () => {
    const pauses = () =>
      dispatcher.db.transaction().execute((trx) => pauseByAnswer(trx, [recipient.id, recipient.id]));
    expect(await pauses()).toEqual([
      { consumerId: recipient.id, kind: 'paused_by_consumer', details: { httpStatus: 410 } },
    ]);
    expect(await pauses()).toEqual([]);
    expect(await recipient.audited()).toEqual(['consumer.paused_by_consumer']);
    await recipient.acceptPayments(1);
    expect(await due()).toEqual([]);
  });
});
