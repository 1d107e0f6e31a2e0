import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import { WorkersRepository, type WorkerCondition } from '#libs/database';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { WORKER_GONE_AFTER_MS } from '#libs/policy';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from './fetch-loop.js';
import { Recorder } from './recorder.js';
import { DeliverySession } from './session.js';

/** A session yields to waiting ones after this time, plus up to a fifth, so that not all yield at the same moment. */
const TURN_MS = 5_000;

const BALANCE_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;

/** How many jobs this process has at a time; lower for a moment, so that another worker gets a job that is completed. */
export interface JobLimit {
  set(concurrency: number): void;
}

export interface SessionLoop {
  /** Delivers in a session until `session.ended` resolves. */
  add(session: DeliverySession): void;
  wakeUp(): void;
}

export interface ConsumerQueue {
  /** Adds a job for each consumer without a waiting one. */
  addConsumers(consumerIds: readonly string[]): Promise<void>;
  counts(withinMs: number): Promise<{ readonly waiting: number }>;
}

export interface LiveWorkers {
  /** Workers with a heartbeat within this time. */
  seenWithin(ms: number): Promise<readonly { readonly sessions: readonly string[] }[]>;
}

/** The delivery sessions of this worker, one for each of its jobs. */
@Injectable()
export class Sessions {
  private isStopping = false;
  private readonly balancing = new AbortController();
  private jobLimit: JobLimit | undefined;
  private readonly byConsumer = new Map<string, DeliverySession>();

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'workerConcurrency'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(FetchLoop) private readonly loop: SessionLoop,
    @Inject(Recorder) private readonly recorder: Pick<Recorder, 'abandon'>,
    @Inject(DispatchQueue) private readonly queue: ConsumerQueue,
    @Inject(WorkersRepository) private readonly workers: LiveWorkers,
  ) {}

  /** Starts to balance sessions among workers and consumers. */
  start(jobLimit: JobLimit): void {
    this.jobLimit = jobLimit;
    void this.keepBalancing();
  }

  /** Delivers to a consumer until nothing is due, or the session has to end for another reason. */
  async run(consumerId: string, jobId: string): Promise<void> {
    // BullMQ fetches one more job while it closes.
    if (this.isStopping) return this.requeue([consumerId]);
    const former = this.byConsumer.get(consumerId);
    if (former !== undefined) {
      // The queue lost the former job while its session went on. This job has the consumer now.
      former.stop('lock_lost');
      this.loop.wakeUp();
      await former.ended;
    }
    const session = new DeliverySession(consumerId, jobId, performance.now());
    this.byConsumer.set(consumerId, session);
    this.loop.add(session);
    await session.ended;
    if (this.byConsumer.get(consumerId) === session) this.byConsumer.delete(consumerId);
    // Deliveries were due when the session was lost: another worker has a job for them already, or gets it now.
    if (session.endReason === 'lock_lost' || session.endReason === 'fenced') await this.requeue([consumerId]);
  }

  /** Ends the sessions of jobs whose locks BullMQ could not renew: another worker may have these jobs. */
  locksLost(jobIds: readonly string[]): void {
    const lost = new Set(jobIds);
    for (const session of this.byConsumer.values()) if (lost.has(session.jobId)) session.stop('lock_lost');
    this.loop.wakeUp();
  }

  /** What the worker's heartbeat reports. */
  condition(): WorkerCondition {
    const sessions = [...this.byConsumer.values()];
    const nowMs = performance.now();
    return {
      concurrency: this.config.workerConcurrency,
      sending: sessions.flatMap(({ inFlight }) => [...inFlight.keys()]),
      sessions: sessions.map(({ consumerId }) => consumerId),
      atLimit: sessions.flatMap((session) => (session.isAtLimit(nowMs) ? [session.consumerId] : [])),
    };
  }

  /** Ends all sessions when their deliveries in flight are recorded; other workers get the consumers. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.balancing.abort();
    const sessions = [...this.byConsumer.values()];
    for (const session of sessions) session.stop('stops');
    // The jobs are still active, so BullMQ adds another one for each consumer when it completes.
    await this.requeue(sessions.map(({ consumerId }) => consumerId));
    this.loop.wakeUp();
    await Promise.all(sessions.map(({ ended }) => ended));
  }

  /** Stops waiting for an unreachable PostgreSQL: another worker sends again what is not recorded by now. */
  abandon(): void {
    this.recorder.abandon();
  }

  /** Never rejects: reconcile adds the jobs that an unreachable queue could not. */
  private async requeue(consumerIds: readonly string[]): Promise<void> {
    if (consumerIds.length === 0) return;
    await this.queue.addConsumers(consumerIds).catch(() => undefined);
  }

  private async keepBalancing(): Promise<void> {
    const { signal } = this.balancing;
    while (!signal.aborted) {
      await delay(BALANCE_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
      if (this.byConsumer.size === 0) continue;
      try {
        await this.yieldSessions();
      } catch (error) {
        this.logger.debug({ fault: faultText(error) }, 'sessions.balance_failed');
      }
    }
  }

  /** Yields sessions to workers that have fewer, and to consumers that wait while all slots are taken. */
  private async yieldSessions(): Promise<void> {
    const old = [...this.byConsumer.values()]
      .filter(({ endReason }) => endReason === null)
      .filter(({ openedAtMs }) => performance.now() - openedAtMs > TURN_MS * (1 + Math.random() / 5))
      .toSorted((a, b) => a.openedAtMs - b.openedAtMs);
    if (old.length === 0) return;
    const surplus = await this.surplus();
    if (surplus > 0) {
      await this.yield(old.slice(0, surplus), { toOthers: true });
      return;
    }
    if (this.byConsumer.size < this.config.workerConcurrency) return;
    const { waiting } = await this.queue.counts(ANSWER_WITHIN_MS);
    // BullMQ gives out the longest-waiting job first, so the yielded consumers follow all that wait now.
    await this.yield(old.slice(0, waiting), { toOthers: false });
  }

  /** How many sessions this worker has above its equal share. */
  private async surplus(): Promise<number> {
    const alive = await this.workers.seenWithin(WORKER_GONE_AFTER_MS);
    if (alive.length < 2) return 0;
    const all = alive.reduce((sum, worker) => sum + worker.sessions.length, 0);
    return this.byConsumer.size - Math.ceil(all / alive.length);
  }

  private async yield(
    sessions: readonly DeliverySession[],
    { toOthers }: { readonly toOthers: boolean },
  ): Promise<void> {
    if (sessions.length === 0) return;
    await this.requeue(sessions.map(({ consumerId }) => consumerId));
    // A worker that completes a job gets the next one with the answer, unless its limit is reached.
    if (toOthers) this.jobLimit?.set(Math.max(1, this.byConsumer.size - sessions.length));
    for (const session of sessions) session.stop('yields');
    this.loop.wakeUp();
    await Promise.race([
      Promise.all(sessions.map(({ ended }) => ended)),
      delay(TURN_MS, undefined, { ref: false, signal: this.balancing.signal }).catch(() => undefined),
    ]);
    // The completion is one more message to the queue.
    if (toOthers)
      await delay(100, undefined, { ref: false, signal: this.balancing.signal }).catch(() => undefined);
    this.jobLimit?.set(this.config.workerConcurrency);
  }
}
