import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import {
  closeSessions,
  fetchDeliveries,
  parkDeliveries,
  Pipeline,
  type Fetched,
  type FetchedDelivery,
} from '#libs/database';
import { faultText, LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Attempts } from './attempts.service.js';
import type { DeliverySession } from './session.js';
import { shareSlots } from './share-slots.js';

/** While something was fetched a moment ago the next fetch follows after the shortest time, then later and later. */
const POLL_MS = { shortest: 10, longest: 100 } as const;

/** After a fault of ours. */
const FAULT_DELAY_MS = 500;

/** So many blocked deliveries are looked past at each fetch; more are parked. */
const MOST_BLOCKED = 50;

/** One consumer that hangs never takes all slots while others are served. */
const MOST_OF_SLOTS = 0.75;

/**
 * The worker's one loop: fetches for all of its sessions at once, hands out what is due, and ends sessions without work.
 * One fetch is under way at a time: at once when a session opens or has room again, else every 10 to 100 ms.
 */
@Injectable()
export class FetchLoop {
  readonly sessions = new Set<DeliverySession>();
  /** Grows with each answer of PostgreSQL: as long as it does, the worker fetches. */
  progress = 0;
  private inHand = 0;
  private turn = 0;
  private lastFoundAtMs = 0;
  private wake: () => void = () => undefined;
  private isAwake = false;
  private isRunning = false;
  private isFailing = false;

  private readonly slots: number;
  private readonly fetch: typeof fetchDeliveries;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly pipeline: Pipeline,
    private readonly attempts: Attempts,
    private readonly queue: DispatchQueue,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.slots = config.workerConcurrency;
    const fetch = measured(metrics, 'fetch', (requests: Parameters<typeof fetchDeliveries>[1]) =>
      fetchDeliveries(this.pipeline, requests),
    );
    this.fetch = async (_pipeline, requests) => [...(await fetch(requests))];
  }

  /** Deliveries that were fetched and are not recorded yet. */
  get inFlight(): number {
    return this.inHand;
  }

  add(session: DeliverySession): void {
    this.sessions.add(session);
    this.wakeUp();
    if (!this.isRunning) void this.run();
  }

  /** Fetches at once, or as soon as the fetch that is under way is answered. */
  wakeUp(): void {
    this.isAwake = true;
    this.wake();
  }

  /** Never rejects; ends when there is no session left. */
  private async run(): Promise<void> {
    this.isRunning = true;
    // A turn of the event loop lets sessions that begin at the same time share a fetch.
    await delay(0);
    while (this.sessions.size > 0) {
      this.isAwake = false;
      try {
        await this.fetchOnce();
        await this.endSessions();
        this.noteSuccess();
        await this.pause();
      } catch (error) {
        this.noteFault(faultText(error));
        await delay(FAULT_DELAY_MS, undefined, { ref: false });
      }
    }
    this.isRunning = false;
  }

  /** One line when it begins to fail, one when it works again: an outage is no reason for two lines a second. */
  private noteFault(fault: string): void {
    this.metrics.internalFaults.inc({ step: 'fetch' });
    if (!this.isFailing) this.logger.warn({ fault }, 'fetch.failed');
    this.isFailing = true;
  }

  private noteSuccess(): void {
    if (this.isFailing) this.logger.warn({}, 'fetch.recovered');
    this.isFailing = false;
  }

  private async fetchOnce(): Promise<void> {
    const askedAtMs = performance.now();
    const asking = this.inTurn().filter((session) => session.number === null || session.room(askedAtMs) > 0);
    if (asking.length === 0) return;
    const most = this.sessions.size > 1 ? Math.ceil(this.slots * MOST_OF_SLOTS) : this.slots;
    const shares = shareSlots(
      this.slots - this.inHand,
      asking.map((session) => Math.min(session.room(askedAtMs), Math.max(0, most - session.inFlight.size))),
    );
    const wanted = new Map(asking.map((session, index) => [session.consumerId, shares[index] ?? 0]));
    const requests = asking.map((session) => session.request(wanted.get(session.consumerId) ?? 0, askedAtMs));
    const fetched = await this.fetch(this.pipeline, requests);
    this.progress += 1;
    const answers = new Map(fetched.map((one) => [one.consumer.consumerId, one]));
    for (const session of asking) {
      const answer = answers.get(session.consumerId);
      const room = wanted.get(session.consumerId) ?? 0;
      // Every opening of a consumer that is known is answered.
      if (answer === undefined && session.number === null) session.stop('unknown');
      // Without an answer the session is still this worker's, and nothing is due.
      else if (answer === undefined) {
        session.confirm(askedAtMs);
        session.mayHaveMore = session.mayHaveMore && room === 0;
      } else await this.handOut(session, answer, room, askedAtMs);
    }
  }

  private async handOut(
    session: DeliverySession,
    { consumer, deliveries }: Fetched,
    room: number,
    askedAtMs: number,
  ): Promise<void> {
    session.learn(consumer, askedAtMs);
    if (session.endReason !== null) return;
    session.noteFetched(deliveries);
    const nowMs = performance.now();
    const free = deliveries.filter(({ blockedBy }) => blockedBy === null).slice(0, room);
    // The circuit may be open only now that the session knows its consumer: then only its probe goes.
    const isProbe = consumer.health.circuit !== null;
    const sendable = isProbe && !session.isProbeDue ? [] : isProbe ? free.slice(0, 1) : free;
    for (const delivery of sendable) this.start(session, delivery, isProbe, nowMs);
    const blocked = deliveries.flatMap(({ id, blockedBy }) =>
      blockedBy === null ? [] : [{ id, blockedBy }],
    );
    session.mayHaveMore = consumer.maySend && (free.length >= Math.max(1, room) || blocked.length > 0);
    if (sendable.length > 0) this.lastFoundAtMs = nowMs;
    // Those behind one that is in flight follow it; the others would be looked past at each fetch.
    const waiting = blocked.filter(({ blockedBy }) => !session.inFlight.has(blockedBy));
    const parked = blocked.length > MOST_BLOCKED ? blocked : waiting;
    session.blocked = blocked.length - parked.length;
    if (parked.length > 0) await parkDeliveries(this.pipeline, parked);
  }

  private start(session: DeliverySession, delivery: FetchedDelivery, probe: boolean, nowMs: number): void {
    const turn = session.begin(delivery, nowMs);
    this.inHand += 1;
    void this.attempts.attempt(session, delivery, { probe, turn }).finally(() => {
      this.inHand -= 1;
      this.progress += 1;
      if (session.mayHaveMore || session.endReason !== null || this.inHand + 1 >= this.slots) this.wakeUp();
    });
  }

  /** In turns, so that everybody comes first when there are fewer slots than sessions. */
  private inTurn(): DeliverySession[] {
    const sessions = [...this.sessions];
    this.turn = (this.turn + 1) % Math.max(1, sessions.length);
    return [...sessions.slice(this.turn), ...sessions.slice(0, this.turn)];
  }

  private async endSessions(): Promise<void> {
    const nowMs = performance.now();
    // Every session is a slot of BullMQ's: when all are taken, one without work makes room for those that wait.
    const lingers = this.sessions.size < this.slots;
    const ending = [...this.sessions].filter((session) => session.shouldEnd(nowMs, lingers));
    if (ending.length === 0) return;
    for (const session of ending) session.isClosing = true;
    const opened = ending.flatMap((session) =>
      session.number === null ? [] : [{ session, consumerId: session.consumerId, number: session.number }],
    );
    const closing = opened.map(({ session, consumerId, number }) => ({
      consumerId,
      session: number,
      nextSendInMs: session.nextSendInMs(nowMs),
      lastSuccessAt: session.lastSuccessAt,
    }));
    const answers =
      closing.length === 0
        ? []
        : await closeSessions(this.pipeline, closing).catch((error: unknown) => {
            for (const session of ending) session.isClosing = false;
            throw error;
          });
    const timers: { consumerId: string; inMs: number }[] = [];
    for (const [index, { session }] of opened.entries()) {
      const answer = answers[index];
      if (answer?.kind === 'stays' && session.endReason === null) {
        session.goOn(nowMs);
        session.mayHaveMore = true;
        continue;
      }
      if (answer?.kind === 'closed' && answer.wakeInMs !== null)
        timers.push({ consumerId: session.consumerId, inMs: answer.wakeInMs });
      this.end(session);
    }
    for (const session of ending) if (session.number === null) this.end(session);
    if (timers.length > 0)
      // Not awaited: a queue that does not answer keeps nobody from being fetched. Reconcile sets what is missing.
      void this.queue.addTimers(timers).catch(() => this.metrics.enqueueFailures.inc(timers.length));
  }

  private end(session: DeliverySession): void {
    this.sessions.delete(session);
    session.close();
  }

  private async pause(): Promise<void> {
    if (this.isAwake || this.sessions.size === 0) return;
    const idleMs = performance.now() - this.lastFoundAtMs;
    const pauseMs = Math.min(POLL_MS.longest, Math.max(POLL_MS.shortest, idleMs / 4));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, pauseMs);
    await promise;
    clearTimeout(timer);
  }
}
