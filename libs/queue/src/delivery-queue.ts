import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DELIVERIES_QUEUE, type DeliveryJobData, type DeliveryToEnqueue } from './delivery-job.js';
import { jobsFor } from './jobs-for.js';
import { QUEUE_BACKEND } from './queue-backend-token.js';
import type { QueueBackend } from './queue-backend.js';

/** A queue that does not answer for so long is as good as away; whoever waited would keep others from their work. */
const ANSWER_WITHIN_MS = 10_000;

/** The backend cannot be reached; what should have been enqueued lies in PostgreSQL and is picked up later. */
export class QueueAwayError extends Error {
  override readonly name = 'QueueAwayError';
}

/** Jobs by what they wait for. */
export interface JobCounts {
  /** Due, and not taken yet. */
  readonly waiting: number;
  /** With a worker. */
  readonly active: number;
  /** Due later. */
  readonly delayed: number;
}

/** The queue as the story sees it: put deliveries in. Taking them out is the worker's processor. */
@Injectable()
export class DeliveryQueue implements OnModuleInit {
  constructor(
    @Inject(getQueueToken(DELIVERIES_QUEUE)) private readonly queue: Queue<DeliveryJobData>,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
  ) {
    // BullMQ repeats its connection's faults here; unheard they would end the process.
    queue.on('error', () => undefined);
  }

  /** @throws when the process must not start, since its queue would never work */
  onModuleInit(): Promise<void> {
    return this.backend.ready(this.queue);
  }

  /** The same for what consumes the queue over connections of its own. */
  ready(worker: { waitUntilReady(): Promise<unknown> }): Promise<void> {
    return this.backend.ready(worker);
  }

  /** Whether a job could be put in now. */
  isReachable(): boolean {
    return this.backend.isReachable();
  }

  /** The server that the queue needs besides PostgreSQL; null where there is none. */
  get server(): 'redis' | null {
    return this.backend.server?.name ?? null;
  }

  /** @throws QueueAwayError while that server is away, and when it does not answer in time */
  async ping(withinMs: number): Promise<void> {
    const { server } = this.backend;
    if (server !== null) await this.answered(() => server.ping(), withinMs);
  }

  /**
   * Gives each delivery a job, in one call; those that are due now share jobs. A job that is there already stays.
   * @throws QueueAwayError at once while Redis is away, and when it does not answer in time
   */
  async enqueue(deliveries: readonly DeliveryToEnqueue[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.answered(() => this.queue.addBulk(jobsFor(deliveries)));
  }

  /** Whether the queue still holds what it was last given: one that was emptied or replaced has no mark, or another. */
  async isMarkedWith(mark: string | null): Promise<boolean> {
    const { marker } = this.backend;
    return marker === null || (await this.answered(() => marker.read())) === mark;
  }

  async mark(mark: string): Promise<void> {
    const { marker } = this.backend;
    if (marker !== null) await this.answered(() => marker.write(mark));
  }

  /**
   * How many jobs there are. @throws QueueAwayError when it does not answer within so many milliseconds
   */
  async counts(withinMs: number): Promise<JobCounts> {
    const counts = await this.answered(
      () => this.queue.getJobCounts('waiting', 'active', 'delayed'),
      withinMs,
    );
    return {
      waiting: counts['waiting'] ?? 0,
      active: counts['active'] ?? 0,
      delayed: counts['delayed'] ?? 0,
    };
  }

  onReconnect(listener: () => void): void {
    this.backend.onReconnect(listener);
  }

  /** What Bull Board looks through at the engine; it can change nothing. */
  engineView(): BullMQAdapter {
    return new BullMQAdapter(this.queue, { readOnlyMode: true });
  }

  private async answered<T>(ask: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    if (!this.isReachable())
      throw new QueueAwayError(this.backend.server?.lastFault() ?? 'the queue is away');
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new QueueAwayError(`the queue did not answer within ${String(withinMs)} ms`));
    }, withinMs).unref();
    try {
      return await Promise.race([ask(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
