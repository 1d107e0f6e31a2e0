import type { OverviewDto } from '#apps/api/src/system/overview/overview.dto';
import { expect, it } from 'vitest';
import { achExample } from '#libs/contracts';
import { OwnRedis } from '#test/support/own-redis';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

it('GET /v1/overview answers while the queue is unreachable, and counts the jobs that the queue has lost', async () => {
  const redis = await OwnRedis.create({ durable: false });
  const system = await System.start({ backend: 'redis', workers: 0, redisUrl: redis.url });
  try {
    await system.client.registerConsumer({
      name: 'Acme',
      url: 'http://127.0.0.1:9/hook',
      eventTypes: ['ach.status'],
      allPayments: true,
      credentials: { username: 'u', password: 'p' },
    });
    await system.client.accept(achExample({ transactionId: 'a-1' }));
    const agreement = (agrees: boolean | null) =>
      waitUntil(
        async () => {
          const { status, body } = await system.client.call<OverviewDto>('GET', '/v1/overview');
          return status === 200 && body.agreement.agrees === agrees && body.agreement;
        },
        { what: `the agreement of queue and database to be ${String(agrees)}`, everyMs: 200 },
      );
    expect((await agreement(true)).queue).toEqual({ waiting: 1, active: 0, delayed: 0 });

    await redis.stop();
    const unreachable = await agreement(null);
    expect(unreachable).toMatchObject({ queue: null, database: { overdueConsumers: expect.any(Number) } });
    expect(unreachable.detail).toContain('cannot be asked');

    // Redis restarts empty, and no worker runs that adds the jobs again. After five seconds the delivery is overdue.
    await redis.start();
    expect((await agreement(false)).detail).toContain('no job: at least 1.');
  } finally {
    await system.stop();
    await redis.remove();
  }
});
