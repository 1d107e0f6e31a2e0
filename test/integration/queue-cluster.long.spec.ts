import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { openQueue } from '#test/support/open-queue';
import { OwnRedisCluster } from '#test/support/own-redis-cluster';
import { waitUntil } from '#test/support/wait-until';

const cluster = await OwnRedisCluster.create();
afterAll(() => cluster.remove());

it('the queue still works after its Redis Cluster node is emptied, and after that node is killed', async () => {
  const config = { backend: 'redis', url: cluster.url, namespace: 'cluster' } as const;
  const key = '{cluster}:deliveries:meta';
  await using open = await openQueue(config);
  await using worker = await open.work();

  /** Waits until all added consumers and timers are handed out; adds again what a node has lost. */
  const untilAllHandedOut = async (): Promise<void> => {
    const consumers = Array.from({ length: 300 }, () => randomUUID());
    const missing = (name: string): string[] => {
      const handedOut = worker.started.filter((job) => job.name === name).map((job) => job.consumerId);
      return consumers.filter((consumerId) => !handedOut.includes(consumerId));
    };
    const what = (): string =>
      `${String(missing('deliver').length)} jobs and ${String(missing('due').length)} timers to be handed out`;
    await waitUntil(
      async () => {
        await open.queue.addTimers(missing('due').map((consumerId) => ({ consumerId, inMs: 50 })));
        await open.queue.addConsumers(missing('deliver'));
        await open.untilEmpty();
        return missing('due').length + missing('deliver').length === 0;
      },
      { what },
    );
  };

  await untilAllHandedOut();
  await open.queue.ping(2_000);
  await cluster.emptyMasterOf(key);
  await untilAllHandedOut();
  const killed = await cluster.killMasterOf(key);
  await cluster.waitForFailover(key, killed);
  await untilAllHandedOut();
  expect(await open.queue.counts(10_000)).toEqual({ waiting: 0, active: 0, delayed: 0 });
});
