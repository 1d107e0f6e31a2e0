import { setTimeout as delay } from 'node:timers/promises';
import type { QueueConfig } from '#libs/config';
import { createLogger, Metrics } from '#libs/observability';
import {
  DELIVERIES_QUEUE,
  DispatchQueue,
  openQueueBackend,
  workerOptions,
  type DeliveriesQueue,
  type DeliveryJobData,
  type DeliveryJobName,
} from '#libs/queue';
import { Queue, Worker, type Job } from 'bullmq';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

/** What is waited for jobs under way when a worker closes. */
const CLOSE_WITHIN_MS = 20_000;

/** One for all: each listens to the process's end. */
export const QUIET = createLogger({ level: 'silent', process: 'test' });

export type DeliveryJob = Job<DeliveryJobData, void, DeliveryJobName>;
export type DeliveryWorker = Worker<DeliveryJobData, void, DeliveryJobName>;

/** A consumer's job, as a worker met it. */
export interface Started {
  readonly name: DeliveryJobName;
  readonly consumerId: string;
  readonly jobId: string;
  /** By `performance.now()`. */
  readonly atMs: number;
}

/** A worker that runs; disposing of it closes it as a stop does. */
export interface RunningWorker extends AsyncDisposable {
  readonly worker: DeliveryWorker;
  readonly started: readonly Started[];
  /** Waits until so many jobs have begun, and tells them. */
  untilStarted(count: number, deadlineMs?: number): Promise<readonly Started[]>;
  /** Ends without a word: what it has in hand stays active until its lock ends. */
  vanish(): Promise<void>;
}

/** The queue of a process, and its workers. */
export interface OpenQueue extends AsyncDisposable {
  readonly queue: DispatchQueue;
  readonly engine: DeliveriesQueue;
  readonly metrics: Metrics;
  /** Runs a worker; jobs end at once unless told. */
  work(process?: (job: DeliveryJob) => Promise<unknown>, concurrency?: number): Promise<RunningWorker>;
  /** Waits until no job is left. */
  untilEmpty(): Promise<void>;
}

/** Opens it as a process does, and waits for it unless told not to. */
export async function openQueue(config: QueueConfig, { wait = true } = {}): Promise<OpenQueue> {
  const backend = openQueueBackend(config);
  const engine: DeliveriesQueue = new Queue(DELIVERIES_QUEUE, backend.options);
  const metrics = new Metrics();
  const queue = new DispatchQueue(backend, engine, metrics, QUIET);
  if (wait) await waitUntil(() => backend.isReachable(), { what: 'the connection of the queue' });
  return {
    queue,
    engine,
    metrics,
    work: async (process = () => Promise.resolve(), concurrency = 4) => {
      const started: Started[] = [];
      const worker: DeliveryWorker = new Worker(
        DELIVERIES_QUEUE,
        async (job: DeliveryJob) => {
          const { consumerId } = job.data;
          started.push({ name: job.name, consumerId, jobId: job.id ?? '', atMs: performance.now() });
          await process(job);
        },
        { ...workerOptions(concurrency), ...backend.options },
      );
      queue.watch(worker);
      await queue.ready(worker);
      const running = worker.run();
      const close = async (): Promise<void> => {
        // A test that failed may have left jobs that never end, and a close under way cannot be forced any more.
        const ended = worker.pause().then(() => true);
        const inTime = await Promise.race([ended, delay(CLOSE_WITHIN_MS, false, { ref: false })]);
        await worker.close(!inTime);
        if (inTime) await running;
      };
      return {
        worker,
        started,
        untilStarted: async (count, deadlineMs = LONGEST_WAIT_MS) => {
          const what = () => {
            const last = JSON.stringify(started.slice(-5));
            return `${String(count)} jobs to begin; ${String(started.length)} have, of them ${last}`;
          };
          await waitUntil(() => started.length >= count, { what, deadlineMs });
          return started;
        },
        vanish: () => worker.close(true),
        [Symbol.asyncDispose]: close,
      };
    },
    untilEmpty: async () => {
      const counts = () => queue.counts(10_000);
      await waitUntil(
        async () => {
          const { waiting, active, delayed } = await counts();
          return waiting + active + delayed === 0;
        },
        { what: 'the queue to be empty' },
      );
    },
    [Symbol.asyncDispose]: async () => {
      await queue.onApplicationShutdown();
      await engine.close();
      await backend.close();
    },
  };
}
