import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  keepHealth,
  record,
  releaseForFreed,
  releaseForProbes,
  resumeConsumer,
  retryDelivery,
  take,
  topUp,
  type Taken,
  type Transition,
} from '#libs/database';
import { Gatekeeper } from '#libs/dispatch';
import { sql } from 'kysely';
import { Recipient, resultOf, stateOf } from '#test/support/recipient';
import { startStoryInProcess, type StoryInProcess } from '#test/support/story-in-process';

let story: StoryInProcess;
let recipient: Recipient;

beforeAll(async () => {
  story = await startStoryInProcess();
  // The tests look after the gates themselves.
  jest.spyOn(story.app.get(Gatekeeper, { strict: false }), 'putOnHold').mockImplementation(() => undefined);
});
afterAll(() => story.close());
beforeEach(async () => {
  recipient = await Recipient.add(story);
});

async function taken(id: string | undefined): Promise<Taken> {
  const [answer] = await take(story.db, [id ?? '']);
  if (answer?.kind !== 'taken') throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return answer;
}

/** One attempt that ends so. */
async function attempt(id: string | undefined, succeeds: boolean): Promise<readonly Transition[]> {
  const of = await taken(id);
  const failure = of.probe ? ({ hold: 'circuit', spendsAttempt: false } as const) : { retryInMs: 0 };
  await record(story.db, [resultOf(of, succeeds ? { state: 'delivered' } : failure)]);
  const observation = { deliveryId: of.deliveryId, at: new Date(), succeeded: succeeds, probe: of.probe };
  const { transitions } = await keepHealth(story.db, [
    { consumerId: recipient.id, observations: [observation] },
  ]);
  return transitions;
}

const ageFirstFailure = (): Promise<unknown> =>
  sql`update consumer_gates set first_failure_at = first_failure_at - interval '61 s'
      where consumer_id = ${recipient.id}`.execute(story.db);

const ageProbe = (): Promise<unknown> =>
  sql`update consumer_gates set next_probe_at = now() - interval '1 s'
      where consumer_id = ${recipient.id}`.execute(story.db);

const probeInSeconds = async (): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from next_probe_at - now())::float8 as seconds from consumer_gates
    where consumer_id = ${recipient.id}`.execute(story.db);
  return rows[0]?.seconds ?? NaN;
};

/** Ten failures of these deliveries, over more than a minute. */
async function openCircuit(deliveries: readonly string[]): Promise<readonly Transition[]> {
  const transitions: Transition[] = [];
  for (let failure = 0; failure < 10; failure += 1) {
    transitions.push(...(await attempt(deliveries[failure % deliveries.length], false)));
    if (failure === 0) await ageFirstFailure();
  }
  return transitions;
}

const probeSent = async (): Promise<string[]> => {
  const released = await releaseForProbes(story.db);
  return released.map(({ deliveryId }) => deliveryId);
};

describe('a circuit', () => {
  it('opens after ten failures of three deliveries over a minute, and holds what comes', async () => {
    const deliveries = await recipient.acceptPayments(3);
    expect(await openCircuit(deliveries)).toMatchObject([{ kind: 'circuit_opened' }]);
    expect(await recipient.audited()).toEqual(['consumer.circuit_opened']);
    expect(await probeInSeconds()).toBeCloseTo(30, -1);

    const [accepted] = await recipient.acceptPayments(1);
    expect(await stateOf(story, accepted ?? '')).toBe('held:circuit');
    expect(await take(story.db, deliveries)).toEqual(
      deliveries.map(() => ({ kind: 'held', reason: 'circuit', atGateOf: recipient.id })),
    );
    expect(await topUp(story.db, [recipient.id])).toEqual([]);
    expect(await releaseForFreed(story.db, [{ consumerId: recipient.id, slots: 9 }])).toEqual({
      released: [],
      ailing: new Set([recipient.id]),
    });
    expect(await probeSent()).toEqual([]);
  });

  it('still holds what is retried by hand, open or dead', async () => {
    const [dead = '', ...deliveries] = await recipient.acceptPayments(4);
    await record(story.db, [resultOf(await taken(dead), { state: 'dead' })]);
    await openCircuit(deliveries);
    const audit = { actor: 'ann', action: 'act', target: 'it', address: '127.0.0.1', details: {} };
    for (const id of [dead, ...deliveries]) {
      expect(await retryDelivery(story.db, id, { force: false }, audit)).toEqual({
        kind: 'done',
        queued: [],
        atGateOf: [recipient.id],
      });
      expect(await stateOf(story, id)).toBe('held:circuit');
    }
  });

  it.each([
    { why: 'two deliveries only', deliveries: 2, aged: true },
    { why: 'less than a minute', deliveries: 3, aged: false },
  ])('stays closed after failures of $why', async ({ deliveries: count, aged }) => {
    const deliveries = await recipient.acceptPayments(count);
    for (let failure = 0; failure < 12; failure += 1) {
      await attempt(deliveries[failure % count], false);
      if (failure === 0 && aged) await ageFirstFailure();
    }
    expect(await recipient.audited()).toEqual([]);
  });

  it('lets one of two concurrent takes through as the probe, and no other while it is under way', async () => {
    const deliveries = await recipient.acceptPayments(3);
    await openCircuit(deliveries);
    await ageProbe();
    const answers = await Promise.all(deliveries.map((id) => take(story.db, [id])));
    const kinds = answers.flat().map((answer) => (answer.kind === 'taken' ? answer.probe : answer.kind));
    expect(kinds.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['held', 'held', true]);
    expect(await probeSent()).toEqual([]);
    // The lease of the probe: its timeout and ten seconds.
    expect(await probeInSeconds()).toBeCloseTo(20, -1);
  });

  it('spends nothing of a delivery’s schedule on a failed probe, and asks with another the next time', async () => {
    const deliveries = await recipient.acceptPayments(3);
    await openCircuit(deliveries);
    const waiting = await recipient.acceptPayments(2);
    await take(story.db, deliveries);
    await ageProbe();
    const [first] = await probeSent();
    expect(await probeSent()).toEqual([]);
    const before = await scheduleOf(first);
    expect(await attempt(first, false)).toMatchObject([
      { kind: 'probe_failed', details: { failedProbes: 1 } },
    ]);
    expect(await probeInSeconds()).toBeCloseTo(60, -1);
    expect(await stateOf(story, first ?? '')).toBe('held:circuit');
    expect(await scheduleOf(first)).toEqual({
      attempts: before.attempts + 1,
      schedule_step: before.schedule_step,
    });
    const attempts = await story.db
      .selectFrom('attempts')
      .select(['number', 'probe'])
      .where('delivery_id', '=', first ?? '')
      .orderBy('number', 'desc')
      .execute();
    expect(attempts[0]).toEqual({ number: before.attempts + 1, probe: true });
    expect(attempts.slice(1).some(({ probe }) => probe)).toBe(false);

    const asked: string[] = [first ?? ''];
    for (let probe = 2; probe <= 5; probe += 1) {
      await ageProbe();
      const [next] = await probeSent();
      await attempt(next, false);
      asked.push(next ?? '');
    }
    expect(asked.toSorted()).toEqual([...deliveries, ...waiting].toSorted());
    await ageProbe();
    expect(await probeSent()).toEqual([first]);
    expect(await recipient.audited()).toEqual([
      'consumer.circuit_opened',
      ...Array<string>(5).fill('consumer.probe_failed'),
    ]);
  });

  it('closes with the probe that succeeds, and everything goes', async () => {
    const deliveries = await recipient.acceptPayments(3);
    await openCircuit(deliveries);
    const waiting = await recipient.acceptPayments(2);
    await take(story.db, deliveries);
    await ageProbe();
    const [probe] = await probeSent();
    expect(await attempt(probe, true)).toMatchObject([{ kind: 'circuit_closed' }]);
    const released = (await topUp(story.db, [recipient.id])).map(({ deliveryId }) => deliveryId);
    expect(released.toSorted()).toEqual([...deliveries, ...waiting].filter((id) => id !== probe).toSorted());
    for (const id of released) expect(await taken(id)).toMatchObject({ probe: false });
    expect(await recipient.audited()).toEqual(['consumer.circuit_opened', 'consumer.circuit_closed']);
  });

  it('is closed by an operator’s resume too', async () => {
    const deliveries = await recipient.acceptPayments(3);
    await openCircuit(deliveries);
    await take(story.db, deliveries);
    await resumeConsumer(story.db, recipient.id, {
      actor: 'operator',
      action: 'consumer.resumed',
      target: `consumer:${recipient.id}`,
      address: null,
      details: {},
    });
    expect(await topUp(story.db, [recipient.id])).toHaveLength(3);
    expect(await recipient.audited()).toEqual(['consumer.circuit_opened', 'consumer.resumed']);
  });

  it('goes on probing when the worker that sent the probe died', async () => {
    const deliveries = await recipient.acceptPayments(3);
    await openCircuit(deliveries);
    await take(story.db, deliveries);
    await ageProbe();
    const [lost] = await probeSent();
    const before = await taken(lost);
    expect(before.probe).toBe(true);
    await ageProbe();
    await sql`update open_deliveries set lease_until = now() - interval '1 ms' where id = ${lost}`.execute(
      story.db,
    );
    expect(await taken(lost)).toMatchObject({ probe: true, lease: before.lease + 1 });
  });
});

const scheduleOf = (id: string | undefined): Promise<{ attempts: number; schedule_step: number }> =>
  story.db
    .selectFrom('open_deliveries')
    .select(['attempts', 'schedule_step'])
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow();
