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

/** A session gives way to others that wait after this long, and up to a fifth more, so that not all do so at once. */
const TURN_MS = 5_000;

const BALANCE_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;

/** How many jobs of the queue this process takes at a time; less for a moment, so that another worker gets them. */
export interface JobLimit {
  set(concurrency: number): void;
}

/** The delivery sessions of this worker: one for each of the queue's jobs that it has. */
@Injectable()
export class Sessions {
  private isStopping = false;
  private readonly balancing = new AbortController();
  private jobLimit: JobLimit | undefined;
  private readonly byConsumer = new Map<string, DeliverySession>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly loop: FetchLoop,
    private readonly recorder: Recorder,
    private readonly queue: DispatchQueue,
    private readonly workers: WorkersRepository,
  ) {}

  /** From now on jobs come. */
  start(jobLimit: JobLimit): void {
    this.jobLimit = jobLimit;
    void this.keepBalance();
  }

  /** Delivers to a consumer until there is nothing to do, or others are to have the consumer. */
  async run(consumerId: string, jobId: string): Promise<void> {
    // BullMQ takes one more job while it closes.
    if (this.isStopping) return this.leave([consumerId]);
    const former = this.byConsumer.get(consumerId);
    if (former !== undefined) {
      // The queue has lost the former job while its session went on; this one is the consumer's now.
      former.stop('lock_lost');
      this.loop.wakeUp();
      await former.ended;
    }
    const session = new DeliverySession(consumerId, jobId, performance.now());
    this.byConsumer.set(consumerId, session);
    this.loop.add(session);
    await session.ended;
    if (this.byConsumer.get(consumerId) === session) this.byConsumer.delete(consumerId);
    // What was due when the lock or the number was lost needs a worker: another has the job already, or gets it now.
    if (session.endReason === 'lock_lost' || session.endReason === 'fenced') await this.leave([consumerId]);
  }

  /** BullMQ could not renew the locks of these jobs: another worker may have them. */
  locksLost(jobIds: readonly string[]): void {
    const lost = new Set(jobIds);
    for (const session of this.byConsumer.values()) if (lost.has(session.jobId)) session.stop('lock_lost');
    this.loop.wakeUp();
  }

  /** For the heartbeat. */
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

  /** Fetches nothing more, and leaves every consumer to others; what is in flight is recorded first. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.balancing.abort();
    const sessions = [...this.byConsumer.values()];
    for (const session of sessions) session.stop('stops');
    // While the jobs are active: each is then followed by another one, which a worker takes at once.
    await this.leave(sessions.map(({ consumerId }) => consumerId));
    this.loop.wakeUp();
    await Promise.all(sessions.map(({ ended }) => ended));
  }

  /** Ends waiting for a PostgreSQL that is away: what is not recorded by now is sent again by another worker. */
  abandon(): void {
    this.recorder.abandon();
  }

  /** Never rejects: reconcile finds what the queue does not take. */
  private async leave(consumerIds: readonly string[]): Promise<void> {
    if (consumerIds.length === 0) return;
    await this.queue.addConsumers(consumerIds).catch(() => undefined);
  }

  private async keepBalance(): Promise<void> {
    const { signal } = this.balancing;
    while (!signal.aborted) {
      await delay(BALANCE_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
      if (this.byConsumer.size === 0) continue;
      try {
        await this.giveWay();
      } catch (error) {
        this.logger.debug({ fault: faultText(error) }, 'the work could not be balanced; it is tried again');
      }
    }
  }

  /** Yields sessions to workers that have fewer, and to consumers that wait because all slots are taken. */
  private async giveWay(): Promise<void> {
    const old = [...this.byConsumer.values()]
      .filter(({ endReason }) => endReason === null)
      .filter(({ openedAtMs }) => performance.now() - openedAtMs > TURN_MS * (1 + Math.random() / 5))
      .toSorted((a, b) => a.openedAtMs - b.openedAtMs);
    if (old.length === 0) return;
    const tooMany = await this.moreThanShare();
    if (tooMany > 0) {
      await this.yield(old.slice(0, tooMany), { toOthers: true });
      return;
    }
    if (this.byConsumer.size < this.config.workerConcurrency) return;
    const { waiting } = await this.queue.counts(ANSWER_WITHIN_MS);
    // BullMQ hands out the job that has waited longest, so those that yield come after all that wait now.
    await this.yield(old.slice(0, waiting), { toOthers: false });
  }

  private async moreThanShare(): Promise<number> {
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
    await this.leave(sessions.map(({ consumerId }) => consumerId));
    // A worker that completes a job gets the next one with the answer, unless it has no room for it.
    if (toOthers) this.jobLimit?.set(Math.max(1, this.byConsumer.size - sessions.length));
    for (const session of sessions) session.stop('yields');
    this.loop.wakeUp();
    await Promise.race([
      Promise.all(sessions.map(({ ended }) => ended)),
      delay(TURN_MS, undefined, { ref: false, signal: this.balancing.signal }).catch(() => undefined),
    ]);
    // The completion itself is a message to the queue.
    if (toOthers)
      await delay(100, undefined, { ref: false, signal: this.balancing.signal }).catch(() => undefined);
    this.jobLimit?.set(this.config.workerConcurrency);
  }
}
