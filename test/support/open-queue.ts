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

/** How long a closing worker waits for its active jobs. */
const CLOSE_WITHIN_MS = 20_000;

/** One logger for all: each one listens for the process's exit. */
export const QUIET = createLogger({ level: 'silent', process: 'test' });

export type DeliveryJob = Job<DeliveryJobData, void, DeliveryJobName>;
export type DeliveryWorker = Worker<DeliveryJobData, void, DeliveryJobName>;

/** A job that a worker has started. */
export interface Started {
  readonly name: DeliveryJobName;
  readonly consumerId: string;
  readonly jobId: string;
  /** By `performance.now()`. */
  readonly atMs: number;
}

/** A running worker; disposing of it waits for its active jobs. */
export interface RunningWorker extends AsyncDisposable {
  readonly worker: DeliveryWorker;
  readonly started: readonly Started[];
  /** Waits until `count` jobs have started, and returns all started jobs. */
  waitForStarted(count: number, deadlineMs?: number): Promise<readonly Started[]>;
  /** Ends the worker as a crash does: its jobs stay active until their locks expire. */
  crash(): Promise<void>;
}

/** A queue as a process opens it, and its workers. */
export interface OpenQueue extends AsyncDisposable {
  readonly queue: DispatchQueue;
  readonly engine: DeliveriesQueue;
  readonly metrics: Metrics;
  /** Runs a worker; by default each job ends at once. */
  work(process?: (job: DeliveryJob) => Promise<unknown>, concurrency?: number): Promise<RunningWorker>;
  /** Waits until no job is left. */
  untilEmpty(): Promise<void>;
}

/** Opens a queue as a process does; by default waits for its connection. */
export async function openQueue(config: QueueConfig, { wait = true } = {}): Promise<OpenQueue> {
  const backend = openQueueBackend(config);
  const engine: DeliveriesQueue = new Queue(DELIVERIES_QUEUE, backend.options);
  const metrics = new Metrics();
  const queue = new DispatchQueue(backend, engine, metrics, QUIET);
  if (wait) await waitUntil(() => backend.isReachable(), { what: 'the queue to be reachable' });
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
        // A failed test may leave jobs that never end, and a close in progress can no longer be forced.
        const ended = worker.pause().then(() => true);
        const inTime = await Promise.race([ended, delay(CLOSE_WITHIN_MS, false, { ref: false })]);
        await worker.close(!inTime);
        if (inTime) await running;
      };
      return {
        worker,
        started,
        waitForStarted: async (count, deadlineMs = LONGEST_WAIT_MS) => {
          const what = () => {
            const last = JSON.stringify(started.slice(-5));
            return `${String(count)} jobs to start; ${String(started.length)} have started, the last ones: ${last}`;
          };
          await waitUntil(() => started.length >= count, { what, deadlineMs });
          return started;
        },
        crash: () => worker.close(true),
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
