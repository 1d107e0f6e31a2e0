/** The limit of the queue: BullMQ with a processor that does nothing, one delivery a job. */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { serve } from '#test/bench/pipeline/child';
import { nowMs } from '#test/bench/pipeline/clock';

const IN_ONE_CALL = 200;
const MOST_WAITING = 2_000;

async function run({ redisUrl, seconds }: { redisUrl: string; seconds: number }): Promise<number> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('nothing', { connection, prefix: 'bare' });
  let done = 0;
  let added = 0;
  const worker = new Worker('nothing', async () => void (done += 1), {
    connection,
    prefix: 'bare',
    concurrency: 100,
  });
  await worker.waitUntilReady();
  const startedAt = nowMs();
  while (nowMs() - startedAt < seconds * 1_000) {
    if (added - done > MOST_WAITING) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    await queue.addBulk(
      Array.from({ length: IN_ONE_CALL }, () => {
        added += 1;
        return {
          name: 'deliver',
          data: { deliveryId: '0199a2b4-7c1d-7e55-9f3b-000000000000' },
          opts: { jobId: `${String(added)}-0`, removeOnComplete: true, removeOnFail: true },
        };
      }),
    );
  }
  const perSecond = done / ((nowMs() - startedAt) / 1_000);
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  connection.disconnect();
  return perSecond;
}

const calls = { run };
export type BareQueue = typeof calls;
serve(calls);
