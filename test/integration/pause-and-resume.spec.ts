import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  consumersDue,
  pauseByAnswer,
  pauseConsumer,
  pauseSending,
  resumeConsumer,
  resumeExpiredPauses,
  resumeSending,
  writeHealth,
  type AuditEntry,
} from '#libs/database';
import { sql } from 'kysely';
import { Recipient, stateOf } from '#test/support/recipient';
import { startDispatcherInProcess, type DispatcherInProcess } from '#test/support/dispatcher-in-process';
import { attempt, TestSession } from '#test/support/test-session';

const AUDIT: AuditEntry = { actor: 'ann', action: 'act', target: 'it', address: null, details: {} };

let dispatcher: DispatcherInProcess;
let recipient: Recipient;

beforeAll(async () => {
  dispatcher = await startDispatcherInProcess();
});
afterAll(() => dispatcher.close());
beforeEach(async () => {
  recipient = await Recipient.add(dispatcher);
});

const open = (): Promise<TestSession> => TestSession.open(dispatcher.pipeline, recipient.id);

async function due(): Promise<string[]> {
  const session = await open();
  return (await session.fetch()).map(({ id }) => id);
}

/** Its circuit is open, and it is to be asked in an hour. */
const openCircuit = (): Promise<void> =>
  dispatcher.db.transaction().execute((trx) =>
    writeHealth(
      trx,
      recipient.id,
      {
        failures: 10,
        failedDeliveries: [],
        firstFailureAt: new Date(),
        circuit: { openedAt: new Date(), failedProbes: 3, nextProbeAt: new Date(Date.now() + 3_600_000) },
      },
      { circuit: true },
    ),
  );

const runtime = () =>
  dispatcher.db
    .selectFrom('consumer_runtime')
    .selectAll()
    .where('consumer_id', '=', recipient.id)
    .executeTakeFirstOrThrow();

const wakesIn = async (): Promise<number | null> => {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from wake_at - now())::float8 as seconds from consumer_wake
    where consumer_id = ${recipient.id}`.execute(dispatcher.db);
  return rows[0]?.seconds ?? null;
};

describe('a pause', () => {
  it('stops the next fetch of a session that is open, keeps everything, and resume sends it in order', async () => {
    const [first = '', ...later] = await recipient.acceptPayments(4);
    const session = await open();
    expect(await session.fetch(1)).toMatchObject([{ id: first }]);
    expect(await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT)).toBe(true);
    expect(await session.fetch()).toEqual([]);
    expect(await wakesIn()).toBeNull();
    // What is under way ends as it ends.
    expect(await session.record(first, { state: 'delivered' })).toBe(true);
    expect(await stateOf(dispatcher, later[0] ?? '')).toBe('held:paused');

    expect(await resumeConsumer(dispatcher.db, recipient.id, AUDIT)).toBe(true);
    expect(await due()).toEqual(later);
  });

  it('that is asked for again keeps since when it is, and takes the new reason', async () => {
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    const row = () =>
      dispatcher.db
        .selectFrom('consumers')
        .selectAll()
        .where('id', '=', recipient.id)
        .executeTakeFirstOrThrow();
    const before = await row();
    await pauseConsumer(dispatcher.db, recipient.id, 'an incident', AUDIT);
    expect(await row()).toMatchObject({ paused_at: before.paused_at, pause_reason: 'an incident' });
  });

  it('that is over is kept as a time that counts against no delivery', async () => {
    await pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    const { rows } = await sql`
      select cause, ended_at > began_at as lasted from excluded_downtime where consumer_id = ${recipient.id}`.execute(
      dispatcher.db,
    );
    expect(rows).toEqual([{ cause: 'paused', lasted: true }]);
  });

  it('of the dispatcher stops everybody, and resume leaves who is paused on his own account', async () => {
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

  it('is refused for a consumer that is unknown', async () => {
    const nobody = '0199c2f2-7b5e-7c3a-8f00-000000000000';
    expect(await pauseConsumer(dispatcher.db, nobody, 'maintenance', AUDIT)).toBe(false);
    expect(await resumeConsumer(dispatcher.db, nobody, AUDIT)).toBe(false);
  });
});

describe('a pause with an end', () => {
  const row = () =>
    dispatcher.db
      .selectFrom('consumers')
      .select(['state', 'paused_at', 'paused_until', 'pause_reason'])
      .where('id', '=', recipient.id)
      .executeTakeFirstOrThrow();
  const pauseFor = (seconds: number): Promise<boolean> =>
    pauseConsumer(dispatcher.db, recipient.id, 'maintenance', AUDIT, new Date(Date.now() + seconds * 1_000));
  const downtimes = async (): Promise<number> => {
    const found = await dispatcher.db
      .selectFrom('excluded_downtime')
      .select('id')
      .where('consumer_id', '=', recipient.id)
      .where('cause', '=', 'paused')
      .execute();
    return found.length;
  };

  it('lasts until then, and is then ended by the dispatcher as by a resume', async () => {
    const ids = await recipient.acceptPayments(2);
    await pauseFor(3_600);
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
    expect(await due()).toEqual([]);

    await pauseFor(-1);
    const { paused_until } = await row();
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([
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
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
  });

  it('ends as it was asked for last: later, or not before somebody resumes it', async () => {
    await pauseFor(-1);
    await pauseFor(3_600);
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
    await pauseFor(-1);
    await pauseConsumer(dispatcher.db, recipient.id, 'an incident', AUDIT);
    expect(await row()).toMatchObject({ paused_until: null, pause_reason: 'an incident' });
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
  });

  it('leaves an open circuit open, and makes a probe due', async () => {
    await recipient.acceptPayments(1);
    await openCircuit();
    await pauseFor(-1);
    await resumeExpiredPauses(dispatcher.db);
    const { circuit_opened_at, next_probe_at } = await runtime();
    expect(circuit_opened_at).toEqual(expect.any(Date));
    expect(next_probe_at?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is ended once, whoever comes first: two workers and a person', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await downtimes();
      await pauseFor(-1);
      await Promise.all([
        resumeExpiredPauses(dispatcher.db),
        resumeConsumer(dispatcher.db, recipient.id, AUDIT),
        resumeExpiredPauses(dispatcher.db),
      ]);
      expect(await downtimes()).toBe(before + 1);
      expect(await row()).toMatchObject({ state: 'active', paused_until: null });
    }
  });

  it('that somebody pauses anew at its end stays paused, or is paused after it', async () => {
    for (let round = 0; round < 5; round += 1) {
      await pauseFor(-1);
      await Promise.all([resumeExpiredPauses(dispatcher.db), pauseFor(3_600)]);
      expect(await row()).toMatchObject({ state: 'paused', paused_until: expect.any(Date) });
      expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
    }
  });

  it('of a consumer that is removed meanwhile is left alone', async () => {
    await pauseFor(-1);
    await dispatcher.db
      .updateTable('consumers')
      .set({ deleted_at: new Date() })
      .where('id', '=', recipient.id)
      .execute();
    expect(await resumeExpiredPauses(dispatcher.db)).toEqual([]);
  });
});

describe('a resume while the circuit is open', () => {
  it('makes a probe due at once, and leaves the circuit open', async () => {
    await recipient.acceptPayments(2);
    await openCircuit();
    expect(await wakesIn()).toBeGreaterThan(3_000);
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await wakesIn()).toBeLessThanOrEqual(0);
    const { circuit_opened_at, failed_probes, next_probe_at } = await runtime();
    expect([circuit_opened_at, failed_probes]).toEqual([expect.any(Date), 3]);
    expect(next_probe_at?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('has a delivery to ask with, also when all of them wait for a retry, and the first of its payment', async () => {
    const [first, second] = [await recipient.accept('payment'), await recipient.accept('payment')];
    await attempt(dispatcher.pipeline, first, { retryInMs: 7_200_000, spendsAttempt: true });
    await sql`update pending_deliveries set next_attempt_at = now() + interval '5 minutes' where id = ${second}`.execute(
      dispatcher.db,
    );
    await openCircuit();
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await due()).toEqual([first]);
  });

  it('leaves the retries of a consumer whose circuit is closed to their times', async () => {
    const id = await recipient.accept('payment');
    await attempt(dispatcher.pipeline, id, { retryInMs: 7_200_000, spendsAttempt: true });
    await resumeConsumer(dispatcher.db, recipient.id, AUDIT);
    expect(await due()).toEqual([]);
  });
});

describe('a consumer that answers 410', () => {
  it('is paused once, and the audit log names the dispatcher', async () => {
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
