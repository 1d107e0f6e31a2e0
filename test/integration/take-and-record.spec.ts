import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { achExample } from '#libs/contracts';
import {
  openDatabase,
  patrolLanes,
  putBack,
  record,
  take,
  type AttemptResult,
  type Database,
  type Taken,
} from '#libs/database';
import { sql } from 'kysely';
import {
  accept,
  addConsumer,
  startStoryInProcess,
  type StoryInProcess,
} from '#test/support/story-in-process';
import { waitUntil } from '#test/support/wait-until';

let story: StoryInProcess;
let serial = 0;

beforeAll(async () => {
  story = await startStoryInProcess();
});
afterAll(() => story.close());

/** A payment of one consumer with this many statuses. @returns its deliveries, the earliest first */
async function payment(
  statuses: number,
): Promise<{ deliveries: string[]; acceptNext: () => Promise<string> }> {
  serial += 1;
  const company = `COMPANY-${String(serial)}`;
  await addConsumer(story, { ach_company_ids: [company] });
  let made = 0;
  const acceptNext = async (): Promise<string> => {
    made += 1;
    const change = achExample({ transactionId: `P-${String(serial)}`, amount: `${String(made)}.00` });
    change.data.achEventInfo.debtor.achCompanyId = company;
    const answer = await accept(story, change);
    const delivery = answer.kind === 'accepted' ? answer.deliveries[0] : undefined;
    if (delivery === undefined) throw new Error('the change was not routed');
    return delivery.deliveryId;
  };
  const deliveries: string[] = [];
  for (let index = 0; index < statuses; index += 1) deliveries.push(await acceptNext());
  return { deliveries, acceptNext };
}

async function taken(id: string | undefined): Promise<Taken> {
  const [answer] = await take(story.db, [id ?? '']);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

function result(of: Taken, next: AttemptResult['next']): AttemptResult {
  return {
    deliveryId: of.deliveryId,
    lease: of.lease,
    lane: of.lane,
    outcome: 'state' in next && next.state === 'delivered' ? 'acknowledged' : 'http_status',
    httpStatus: 200,
    detail: 'answered',
    startedAt: new Date(),
    durationMs: 5,
    url: of.url,
    credentialVersion: of.credentialVersion,
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    clockSkewMs: null,
    next,
  };
}

const stateOf = async (db: Database, id: string | undefined): Promise<string> => {
  const { rows } = await sql<{ state: string }>`
    select state || coalesce(':' || hold_reason, '') as state from open_deliveries where id = ${id}
    union all select state from deliveries where id = ${id}`.execute(db);
  return rows.map((row) => row.state).join();
};

describe('take', () => {
  it('leases a delivery to one worker, with all that an attempt needs', async () => {
    const { deliveries } = await payment(1);
    const first = await taken(deliveries[0]);
    expect(first).toMatchObject({
      attempt: 1,
      scheduleStep: 0,
      lease: 1,
      credentialVersion: 1,
      timestampUnit: 'seconds',
    });
    expect(JSON.parse(first.body)).toMatchObject({ notificationId: first.notificationId });
    const [second] = await take(story.db, [first.deliveryId]);
    expect(second).toMatchObject({ kind: 'leased' });
  });

  it('says why not: held, not due, finished', async () => {
    const { deliveries } = await payment(2);
    const first = await taken(deliveries[0]);
    await record(story.db, [result(first, { retryInMs: 60_000 })]);
    const answers = await take(story.db, [
      deliveries[0] ?? '',
      deliveries[1] ?? '',
      '0199c2f2-7b5e-7c3a-8f00-000000000000',
    ]);
    expect(answers).toEqual([
      { kind: 'not_due', waitMs: expect.closeTo(60_000, -3), consumerId: first.consumerId },
      { kind: 'held', reason: 'order', atGateOf: null },
      { kind: 'finished' },
    ]);
  });

  it('leaves what cannot be sent as it is, and takes its neighbours', async () => {
    const [good, broken] = [await payment(1), await payment(1)];
    await sql`
      update consumer_credentials v set activate_at = now() + interval '1 hour' from open_deliveries d
      where d.id = ${broken.deliveries[0]} and v.consumer_id = d.consumer_id`.execute(story.db);
    const answers = await take(story.db, [...broken.deliveries, ...good.deliveries]);
    expect(answers.map((answer) => answer.kind)).toEqual(['unusable', 'taken']);
    expect(await stateOf(story.db, broken.deliveries[0])).toBe('queued');
  });

  it('gives one of two concurrent takers the lease', async () => {
    const { deliveries } = await payment(1);
    const answers = await Promise.all([take(story.db, deliveries), take(story.db, deliveries)]);
    const kinds = answers.flat().map((answer) => answer.kind);
    expect(kinds.toSorted()).toEqual(['leased', 'taken']);
  });
});

describe('record', () => {
  it('writes the attempt, finishes the delivery and releases the next, with a new round', async () => {
    const { deliveries } = await payment(3);
    const first = await taken(deliveries[0]);
    const [answer] = await record(story.db, [result(first, { state: 'delivered' })]);
    expect(answer).toMatchObject({ recorded: true, released: [{ deliveryId: deliveries[1], round: 1 }] });
    expect(await Promise.all(deliveries.map((id) => stateOf(story.db, id)))).toEqual([
      'delivered',
      'queued',
      'held:order',
    ]);
    const attempts = await story.db
      .selectFrom('attempts')
      .selectAll()
      .where('delivery_id', '=', first.deliveryId)
      .execute();
    expect(attempts).toMatchObject([{ number: 1, outcome: 'acknowledged' }]);
  });

  it('keeps the next one waiting through a retry', async () => {
    const { deliveries } = await payment(2);
    await record(story.db, [result(await taken(deliveries[0]), { retryInMs: 0 })]);
    expect(await stateOf(story.db, deliveries[1])).toBe('held:order');
    const again = await taken(deliveries[0]);
    expect(again).toMatchObject({ attempt: 2, scheduleStep: 1 });
    await record(story.db, [result(again, { state: 'dead' })]);
    expect(await stateOf(story.db, deliveries[1])).toBe('queued');
  });

  it('is refused to a worker whose lease was taken over, and counts its attempt once', async () => {
    const { deliveries } = await payment(1);
    const late = await taken(deliveries[0]);
    await sql`update open_deliveries set lease_until = now() - interval '1 ms' where id = ${late.deliveryId}`.execute(
      story.db,
    );
    const successor = await taken(deliveries[0]);
    expect(successor).toMatchObject({ attempt: late.attempt, lease: late.lease + 1 });
    expect(await record(story.db, [result(late, { state: 'dead' })])).toEqual([
      { recorded: false, released: [] },
    ]);
    expect(await record(story.db, [result(successor, { state: 'delivered' })])).toMatchObject([
      { recorded: true },
    ]);
    expect(await record(story.db, [result(successor, { state: 'dead' })])).toEqual([
      { recorded: false, released: [] },
    ]);
    expect(await stateOf(story.db, late.deliveryId)).toBe('delivered');
    const attempts = await story.db
      .selectFrom('attempts')
      .select('number')
      .where('delivery_id', '=', late.deliveryId)
      .execute();
    expect(attempts).toEqual([{ number: 1 }]);
  });

  it('is not needed after a fault of ours: the delivery is put back and no attempt spent', async () => {
    const { deliveries } = await payment(1);
    const first = await taken(deliveries[0]);
    await putBack(story.db, first);
    expect(await take(story.db, [first.deliveryId])).toMatchObject([{ kind: 'not_due' }]);
    await sql`update open_deliveries set next_attempt_at = now() where state = 'queued'`.execute(story.db);
    expect(await taken(deliveries[0])).toMatchObject({ attempt: 1, scheduleStep: 0, lease: first.lease + 1 });
  });
});

describe('accept and record at the same moment', () => {
  /** Opens a second connection whose transaction stays open until told. */
  async function inTransaction<T>(
    work: (trx: Database) => Promise<T>,
  ): Promise<{ value: T; commit: () => Promise<void> }> {
    const db = openDatabase({ url: story.databaseUrl, poolSize: 3, queryTimeoutMs: 0 });
    const trx = await db.startTransaction().execute();
    const value = await work(trx);
    return {
      value,
      commit: async () => {
        await trx.commit().execute();
        await db.destroy();
      },
    };
  }

  const waitingForALock = (): Promise<true> =>
    waitUntil(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          story.db,
        );
        return rows.length > 0;
      },
      { what: 'a transaction to wait for the other’s lock' },
    );

  it('a status accepted while its predecessor is being finished goes at once', async () => {
    const { deliveries, acceptNext } = await payment(1);
    const first = await taken(deliveries[0]);
    const finishing = await inTransaction((trx) =>
      sql`delete from open_deliveries where id = ${first.deliveryId} and lease = ${first.lease}`.execute(trx),
    );
    const next = acceptNext();
    await waitingForALock();
    await finishing.commit();
    expect(await stateOf(story.db, await next)).toBe('queued');
  });

  it('a predecessor finished while its successor is being accepted releases it', async () => {
    const { deliveries } = await payment(1);
    const first = await taken(deliveries[0]);
    const { consumer_id, event_type, payment_id, event_id } = await story.db
      .selectFrom('open_deliveries')
      .selectAll()
      .where('id', '=', first.deliveryId)
      .executeTakeFirstOrThrow();
    const successor = '0199c2f2-7b5e-7c3a-8f00-0000000000aa';
    const accepting = await inTransaction(async (trx) => {
      await sql`select from open_deliveries where id = ${first.deliveryId} for key share`.execute(trx);
      await sql`
        insert into open_deliveries (id, event_id, consumer_id, event_type, payment_id, number, state, hold_reason)
        values (${successor}, ${event_id}, ${consumer_id}, ${event_type}, ${payment_id}, 2, 'held', 'order')`.execute(
        trx,
      );
    });
    const recording = record(story.db, [result(first, { state: 'delivered' })]);
    await waitingForALock();
    await accepting.commit();
    expect(await recording).toMatchObject([{ recorded: true, released: [{ deliveryId: successor }] }]);
    expect(await stateOf(story.db, successor)).toBe('queued');
  });

  it('the one to be released is cancelled meanwhile: the next after it is released instead', async () => {
    const { deliveries } = await payment(3);
    const first = await taken(deliveries[0]);
    const cancelling = await inTransaction((trx) =>
      sql`delete from open_deliveries where id = ${deliveries[1]}`.execute(trx),
    );
    const recording = record(story.db, [result(first, { state: 'delivered' })]);
    await waitingForALock();
    await cancelling.commit();
    expect(await recording).toMatchObject([{ released: [{ deliveryId: deliveries[2] }] }]);
  });

  it('never strands a delivery, however takes, records and accepts of a payment interleave', async () => {
    const { deliveries, acceptNext } = await payment(1);
    const total = 60;
    const accepting = (async () => {
      for (let index = 1; index < total; index += 1) deliveries.push(await acceptNext());
    })();
    const finished: string[] = [];
    await waitUntil(
      async () => {
        for (const answer of await take(story.db, deliveries.slice(finished.length))) {
          if (answer.kind !== 'taken') continue;
          await record(story.db, [result(answer, { state: 'delivered' })]);
          finished.push(answer.deliveryId);
        }
        return finished.length === total;
      },
      { what: `${String(total)} deliveries to be finished`, everyMs: 1 },
    );
    await accepting;
    expect(finished).toEqual(deliveries);
    expect((await patrolLanes(story.db, null, 10_000)).released).toEqual([]);
  });
});
