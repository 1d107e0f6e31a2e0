import { CONFIG, type Config } from '#libs/config';
import { within } from '#libs/contracts';
import { WorkersRepository, type WorkerCondition } from '#libs/database';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { WORKER_GONE_AFTER_MS } from '#libs/policy';
import { DispatchQueue, LOCK_MS } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from './fetch-loop.js';
import { Recorder } from './recorder.js';
import { DeliverySession } from './session.js';

/** A session yields to waiting ones after this time, plus up to a fifth, so that not all yield at the same moment. */
const TURN_MS = 5_000;

/** A session without work for this long does not count when sessions are balanced. */
const LATELY_MS = 3_000;

const BALANCE_EVERY_MS = 1_000;
/** Maximum wait for the queue, also of a stop: reconcile adds the jobs that it has not added by then. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * A worker that has yielded a session to others gives back jobs of its consumer for this long, so that another worker gets
 * one. Then it serves the consumer again. A job waits for 5 ms at first, since meanwhile the consumer gets nothing, and each
 * time twice as long, since the others may have no free slot. BullMQ's `concurrency` stays as it is: the main loop reads it
 * only when a job ends, and a session may never end.
 */
const PASS_ON_MS = 1_000;
const PASS_ON_DELAY_MS = { first: 5, longest: 250 } as const;

/** A worker yields what it had above its share at each of this many looks: sessions come and go between two of them. */
const LOOKS = 5;

/** Until sessions that were yielded have lasted for a turn, and the heartbeats of the others include them. */
const SETTLED_AFTER_MS = TURN_MS + 3_000;

/** The delivery sessions of this worker, one for each of its jobs. */
@Injectable()
export class Sessions {
  private isStopping = false;
  private balancing: NodeJS.Timeout | undefined;
  private isBalancing = false;
  /** While false, each job is given back at once: BullMQ takes one more job after it was paused. */
  private takesJobs = true;
  /** Sessions that this worker yields to others, until they have ended. */
  private readonly yielding = new Set<DeliverySession>();
  /** Consumers that this worker has yielded to others: until when it gives back their jobs, and for how long the next one. */
  private readonly passedOn = new Map<string, { readonly untilMs: number; delayMs: number }>();
  private readonly byConsumer = new Map<string, DeliverySession>();
  /** How many sessions this worker had above its share at the last looks. */
  private surpluses: number[] = [];
  /** Passed on consumers whose job is not added yet. */
  private readonly withoutJob = new Set<string>();
  private yieldedAtMs = Number.NEGATIVE_INFINITY;
  /** Grows with each job that the queue gives to this worker. */
  taken = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'workerConcurrency'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(FetchLoop) private readonly loop: Pick<
      FetchLoop,
      'add' | 'drop' | 'wakeUp' | 'sending' | 'drained' | 'listen'
    >,
    @Inject(Recorder) private readonly recorder: Pick<Recorder, 'abandon'>,
    @Inject(DispatchQueue)
    private readonly queue: Pick<DispatchQueue, 'addConsumers' | 'onHint'> & {
      counts(withinMs: number): Promise<{ readonly waiting: number }>;
    },
    @Inject(WorkersRepository)
    private readonly workers: {
      /** Workers with a heartbeat within this time. */
      seenWithin(ms: number): Promise<readonly { readonly lasting: number }[]>;
    },
  ) {}

  /** Starts to balance sessions among workers and consumers. */
  start(): void {
    this.loop.listen(this.queue);
    this.balancing = setInterval(() => void this.balance(), BALANCE_EVERY_MS).unref();
  }

  /**
   * Delivers to a consumer until nothing is due, or the session has to end for another reason.
   * @param lockedForMs how long ago BullMQ locked the job
   */
  async run(consumerId: string, jobId: string, lockedForMs = 0): Promise<void> {
    this.taken += 1;
    const lockedAtMs = performance.now() - lockedForMs;
    if (this.isPassedOn(consumerId)) return this.passOn(consumerId);
    const former = this.byConsumer.get(consumerId);
    if (former !== undefined) {
      // The queue lost the former job while its session went on. This job has the consumer now.
      former.stop('lock_lost');
      this.loop.wakeUp();
      await former.ended;
    }
    // BullMQ fetches one more job while it is paused or closes.
    if (this.isStopping || !this.takesJobs) return this.requeue([consumerId]);
    const nowMs = performance.now();
    const session = new DeliverySession(consumerId, jobId, nowMs, lockedAtMs);
    this.byConsumer.set(consumerId, session);
    this.loop.add(session);
    await session.ended;
    if (this.byConsumer.get(consumerId) === session) this.byConsumer.delete(consumerId);
    await this.followUp(session);
  }

  /** Adds the job that follows a session for another reason than that nothing is due. */
  private async followUp(session: DeliverySession): Promise<void> {
    const { consumerId, endReason } = session;
    const isYielded = this.yielding.delete(session);
    switch (endReason) {
      case 'fenced':
      case 'lock_lost':
      case 'unconfirmed':
        // Deliveries were due when the session was lost: another worker has a job for them already, or gets it now.
        return this.requeue([consumerId]);
      case 'yields':
        if (!isYielded) return;
        this.passedOn.set(consumerId, {
          untilMs: performance.now() + PASS_ON_MS,
          delayMs: PASS_ON_DELAY_MS.first,
        });
        return this.passOn(consumerId);
      case 'unknown':
      case 'stops':
      case null:
        return;
    }
  }

  /** Whether another worker should get the next job of the consumer. */
  private isPassedOn(consumerId: string): boolean {
    const session = this.byConsumer.get(consumerId);
    if (session !== undefined && this.yielding.has(session)) return true;
    return performance.now() < (this.passedOn.get(consumerId)?.untilMs ?? 0);
  }

  /**
   * Leaves a consumer to other workers for a moment: added at once, its job would come back with the answer to this one's
   * completion. A worker that waits gets the next job after those that have waited for longer, so soon another one gets it.
   */
  private passOn(consumerId: string): void {
    // A second job of the consumer: the job that the timer adds is enough.
    if (this.withoutJob.has(consumerId)) return;
    const passed = this.passedOn.get(consumerId);
    const inMs = passed?.delayMs ?? PASS_ON_DELAY_MS.first;
    if (passed !== undefined) passed.delayMs = Math.min(inMs * 2, PASS_ON_DELAY_MS.longest);
    this.withoutJob.add(consumerId);
    // If this process dies meanwhile, reconcile adds the job.
    setTimeout(() => {
      this.withoutJob.delete(consumerId);
      void this.requeue([consumerId]);
    }, inMs).unref();
  }

  /** @param takesJobs false: gives back every job that begins */
  takeJobs(takesJobs: boolean): void {
    this.takesJobs = takesJobs;
  }

  /**
   * Ends the sessions that PostgreSQL has not confirmed for as long as their lock lasts, so that other workers get the
   * consumers. Results of their deliveries in flight are recorded if no other worker has opened a session until then.
   * @param isSilent PostgreSQL does not answer this worker: sessions that are not open yet end at once
   */
  endUnconfirmed(nowMs: number, isSilent: boolean): void {
    for (const session of this.byConsumer.values()) {
      const isNew = session.number === null;
      if (session.unconfirmedMs(nowMs) < LOCK_MS && !(isNew && isSilent)) continue;
      session.stop('unconfirmed');
      this.loop.drop(session);
    }
  }

  /** Notes that BullMQ has renewed the locks of these jobs. */
  locksRenewed(jobIds: readonly string[]): void {
    const renewed = new Set(jobIds);
    const nowMs = performance.now();
    for (const session of this.byConsumer.values())
      if (renewed.has(session.jobId)) session.lockedAtMs = nowMs;
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
      sending: this.loop.sending,
      sessions: sessions.map(({ consumerId }) => consumerId),
      lasting: this.lasting(nowMs).length,
      atLimit: sessions.flatMap((session) => (session.isAtLimit(nowMs) ? [session.consumerId] : [])),
    };
  }

  /** Ends all sessions, and resolves when their requests in flight are recorded; other workers get the consumers at once. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.balancing);
    const sessions = [...this.byConsumer.values()];
    for (const session of sessions) session.stop('stops');
    // The jobs are still active, so BullMQ adds another one for each consumer when it completes.
    const ids = [...sessions.map(({ consumerId }) => consumerId), ...this.withoutJob];
    await within(ANSWER_WITHIN_MS, this.requeue(ids));
    this.loop.wakeUp();
    await Promise.all(sessions.map(({ ended }) => ended));
    await this.loop.drained();
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

  /** Never rejects. One at a time: PostgreSQL may need longer than a second to answer. */
  private async balance(): Promise<void> {
    for (const [consumerId, { untilMs }] of this.passedOn)
      if (untilMs < performance.now()) this.passedOn.delete(consumerId);
    if (this.byConsumer.size === 0 || this.isBalancing) return;
    this.isBalancing = true;
    try {
      await this.yieldSessions();
    } catch (error) {
      this.logger.debug({ fault: faultText(error) }, 'sessions.balance_failed');
    }
    this.isBalancing = false;
  }

  /** Sessions that have lasted for a turn and had work in the last seconds: the others are no load. */
  private lasting(nowMs: number): DeliverySession[] {
    return [...this.byConsumer.values()].filter(
      (session) =>
        session.endReason === null &&
        nowMs - session.openedAtMs > TURN_MS &&
        !session.isIdle(nowMs, LATELY_MS),
    );
  }

  /** Yields sessions to workers that have fewer, and to consumers that wait while all slots are taken. */
  private async yieldSessions(): Promise<void> {
    const old = this.lasting(performance.now() - Math.random() * (TURN_MS / 5)).toSorted(
      (a, b) => a.openedAtMs - b.openedAtMs,
    );
    const surplus = await this.surplus();
    if (old.length === 0) return;
    if (surplus > 0) {
      this.surpluses = [];
      this.yieldedAtMs = performance.now();
      await this.yield(old.slice(0, surplus), { toOthers: true });
      return;
    }
    if (this.byConsumer.size < this.config.workerConcurrency) return;
    const { waiting } = await this.queue.counts(ANSWER_WITHIN_MS);
    // BullMQ gives out the longest-waiting job first, so the yielded consumers follow all that wait now.
    await this.yield(old.slice(0, waiting), { toOthers: false });
  }

  /** How many lasting sessions this worker had above its equal share at each of the last looks. */
  private async surplus(): Promise<number> {
    if (performance.now() - this.yieldedAtMs < SETTLED_AFTER_MS) return 0;
    const alive = await this.workers.seenWithin(WORKER_GONE_AFTER_MS);
    const own = this.lasting(performance.now()).length;
    const all = alive.reduce((sum, { lasting }) => sum + lasting, 0);
    const now = alive.length < 2 ? 0 : own - Math.ceil(all / alive.length);
    this.surpluses = [...this.surpluses, now].slice(-LOOKS);
    return this.surpluses.length < LOOKS ? 0 : Math.min(...this.surpluses);
  }

  private async yield(
    chosen: readonly DeliverySession[],
    { toOthers }: { readonly toOthers: boolean },
  ): Promise<void> {
    // One may have ended since it was chosen.
    const sessions = chosen.filter(
      (session) => session.endReason === null && this.byConsumer.get(session.consumerId) === session,
    );
    if (sessions.length === 0) return;
    // A worker that completes a job gets the next one with the answer: its own one, if it was added already.
    if (toOthers) for (const session of sessions) this.yielding.add(session);
    else await this.requeue(sessions.map(({ consumerId }) => consumerId));
    for (const session of sessions) session.stop('yields');
    this.loop.wakeUp();
  }
}
