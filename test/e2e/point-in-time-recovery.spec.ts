import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { AcceptedDto } from '#libs/contracts';
import { ApiClient } from '#test/support/api-client';
import { Customer, type Arrival } from '#test/support/customer';
import { DocumentedBackup } from '#test/support/documented-backup';
import { OwnRedis } from '#test/support/own-redis';
import { runSql } from '#test/support/run-sql';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { System, type QueueBackendName } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

/** What a producer posts and keeps until it is known to be safe. */
interface Posted {
  readonly payment: string;
  readonly key: string;
  readonly change: object;
  readonly accepted: AcceptedDto;
}

/** The long tests repeat the recovery with the jobs of the time before it, in Redis and in PostgreSQL. */
const QUEUES: readonly { queue: string; backend: QueueBackendName; isEmptied: boolean }[] =
  process.env['LONG_TESTS'] === 'true'
    ? [
        { queue: 'the jobs that Redis still has', backend: 'redis', isEmptied: false },
        { queue: 'the queue in PostgreSQL', backend: 'postgres', isEmptied: false },
      ]
    : [{ queue: 'an empty Redis', backend: 'redis', isEmptied: true }];

describe.each(QUEUES)('point-in-time recovery with $queue', ({ backend, isEmptied }) => {
  let backup: DocumentedBackup;
  let redis: OwnRedis;
  let system: System;
  beforeAll(async () => {
    [backup, redis] = await Promise.all([DocumentedBackup.create(), OwnRedis.create({ durable: false })]);
    system = await System.start({ backend, databaseUrl: backup.postgres.adminUrl, redisUrl: redis.url });
  });
  afterAll(async () => {
    await system.stop();
    await Promise.all([backup.remove(), redis.remove()]);
  });

  const post = async (key: string, change: object): Promise<AcceptedDto> => {
    const { status, body } = await system.client.call<AcceptedDto>('POST', '/v1/events', change, {
      headers: { 'idempotency-key': key },
    });
    expect(status).toBe(202);
    return body;
  };
  /** Posts these statuses of a payment, by default all, one after the other. */
  const postPayment = async (company: string, payment: string, [from, to] = [0, 4]): Promise<Posted[]> => {
    const posted: Posted[] = [];
    for (const change of achSequence(company, payment).slice(from, to)) {
      const key = randomUUID();
      posted.push({ payment, key, change, accepted: await post(key, change) });
    }
    return posted;
  };
  const delivered = async (posted: readonly Posted[]): Promise<void> => {
    for (const { accepted } of posted) await system.client.waitForState(accepted, 'delivered');
  };
  const answerTo = async (path: string, key = system.adminKey): Promise<number> =>
    (await new ApiClient(system.api.baseUrl, key).call('GET', path)).status;

  test('everything accepted before the instant is delivered under its id, and what producers repeat is stored once', async () => {
    const { client } = system;
    const healthy = await Customer.onboard(client);
    const failing = await Customer.onboard(client, {
      retrySchedule: Array.from({ length: 50 }, () => 1),
      behaviour: () => ({ status: 503 }),
    });
    const paused = await Customer.onboard(client);
    await client.pauseConsumer(paused.consumerId);
    const { body: viewer } = await client.call<{ id: string; key: string }>('POST', '/v1/api-keys', {
      name: 'viewer',
      roles: ['viewer'],
    });
    const [inBackup, acrossInstant] = [randomUUID(), randomUUID()];
    const finished = await postPayment(healthy.company, inBackup);
    const pending = await postPayment(paused.company, randomUUID());
    await delivered(finished);
    await backup.takeBaseBackup();

    finished.push(...(await postPayment(healthy.company, acrossInstant, [0, 2])));
    pending.push(...(await postPayment(paused.company, randomUUID())));
    pending.push(...(await postPayment(failing.company, randomUUID())));
    await Promise.all([delivered(finished), failing.waitForArrivals(1)]);
    const [clock] = await runSql<{ now: string }>(
      system.databaseUrl,
      'select clock_timestamp()::text as now',
    );
    const instant = clock?.now ?? '';

    failing.behave(() => ({}));
    await client.resumeConsumer(paused.consumerId);
    await delivered(pending);
    const lost = await postPayment(healthy.company, acrossInstant, [2, 4]);
    lost.push(...(await postPayment(healthy.company, randomUUID())));
    await delivered(lost);
    const registeredLater = await Customer.onboard(client);
    await client.addCredentials(failing.consumerId, { signingSecret: 'whsec_after_the_instant' });
    await client.call('DELETE', `/v1/api-keys/${viewer.id}`);
    await waitUntil(async () => (await answerTo('/v1/consumers', viewer.key)) === 401, {
      what: 'the revoked key to be refused',
    });
    await backup.archiveLog();
    const numbers = await sessionNumbers();
    const customers = [healthy, failing, paused];
    const before = customers.map(({ arrivals }) => arrivals.length);

    await backup.lose();
    await Promise.all([system.api, ...system.workers].map((process) => process.kill('SIGKILL')));
    if (isEmptied) await redis.asked((connection) => connection.flushall());
    await backup.restore(instant);
    const replayed = await backup.replayed();
    expect(replayed?.last_accepted).toEqual(await lastAcceptedOf([...finished, ...pending]));
    await backup.resume();
    expect(await sessionNumbers()).toBeLessThan(numbers);
    expect(
      await runSql(system.databaseUrl, 'select id from audit_log where at > $1::timestamptz', [instant]),
    ).toEqual([]);
    const migration = await system.startCommand('migrate');
    const { code } = await migration.exited;
    expect({ code, output: migration.output }).toMatchObject({ code: 0 });
    const dryRun = await system.startCommand('reencrypt', ['--dry-run']);
    await dryRun.exited;
    expect(dryRun.output).toContain('in use: k1, by 3 versions');

    await system.replaceApi();
    await client.setSending('pause');
    expect(await answerTo(`/v1/consumers/${registeredLater.consumerId}`)).toBe(404);
    expect(await client.credentials(failing.consumerId)).toHaveLength(1);
    expect(await client.consumer(paused.consumerId)).toMatchObject({ state: 'paused' });
    expect(await answerTo('/v1/consumers', viewer.key)).toBe(200);
    for (const { accepted } of lost)
      expect(await answerTo(`/v1/events/${accepted.notificationId}`)).toBe(404);
    for (const { accepted } of finished)
      expect(await client.deliveryOf(accepted)).toMatchObject({ state: 'delivered', attemptCount: 1 });

    for (const { key, change, accepted } of [...finished, ...pending])
      expect(await post(key, change)).toEqual({ ...accepted, duplicate: true });
    const repeated: Posted[] = [];
    for (const one of lost) {
      const accepted = await post(one.key, one.change);
      expect(accepted).toMatchObject({ duplicate: false });
      repeated.push({ ...one, accepted });
    }
    await system.startWorker();
    await client.resumeConsumer(paused.consumerId);
    await client.setSending('resume');
    await delivered([...pending, ...repeated]);

    const sentAgain = customers.map(({ arrivals }, index) => arrivals.slice(before[index]));
    expect(idsOf(sentAgain.flat())).toEqual(
      [...pending, ...repeated].map(({ accepted }) => accepted.notificationId).toSorted(),
    );
    for (const arrivals of sentAgain)
      for (const payment of new Set(arrivals.map(({ paymentId }) => paymentId)))
        expect(statusesIn(arrivals, payment)).toEqual(
          payment === acrossInstant ? ACH_SEQUENCE.slice(2) : ACH_SEQUENCE,
        );
    const all = customers.flatMap(({ arrivals }) => arrivals);
    expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(['verified']));
    for (const { accepted } of pending) expect(bodiesOf(all, accepted.notificationId).size).toBe(1);
    for (const { accepted } of lost)
      expect(idsOf(repeated.map(({ accepted: again }) => again))).not.toContain(accepted.notificationId);
    const stored = await runSql<{ id: string }>(system.databaseUrl, 'select id from events');
    expect(stored.map(({ id }) => id).toSorted()).toEqual(
      [...finished, ...pending, ...repeated].map(({ accepted }) => accepted.notificationId).toSorted(),
    );
    expect(await runSql(system.databaseUrl, 'select id from pending_deliveries')).toEqual([]);
  });

  /** The sum of the consumers' session numbers. */
  const sessionNumbers = async (): Promise<number> => {
    const [row] = await runSql<{ sum: number }>(
      system.databaseUrl,
      'select sum(session)::integer as sum from consumer_runtime',
    );
    return row?.sum ?? 0;
  };
  /** When the newest of these events was accepted. */
  const lastAcceptedOf = async (posted: readonly Posted[]): Promise<Date | undefined> => {
    const [row] = await runSql<{ last: Date }>(
      system.databaseUrl,
      'select max(accepted_at) as last from events where id = any ($1)',
      [posted.map(({ accepted }) => accepted.notificationId)],
    );
    return row?.last;
  };
});

const idsOf = (arrivals: readonly { notificationId: string }[]): string[] =>
  arrivals.map(({ notificationId }) => notificationId).toSorted();

const statusesIn = (arrivals: readonly Arrival[], payment: string): string[] =>
  arrivals.filter(({ paymentId }) => paymentId === payment).map(({ status }) => status);

const bodiesOf = (arrivals: readonly Arrival[], notificationId: string): Set<string> =>
  new Set(
    arrivals
      .filter((arrival) => arrival.notificationId === notificationId)
      .map(({ request }) => request.body),
  );
