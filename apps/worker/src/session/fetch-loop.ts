import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import type { BlockedDelivery, Fetched, FetchedDelivery, SessionRequest } from '#libs/database';
import { faultText, LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import type { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Attempts } from './attempts.service.js';
import { SessionEnd } from './session-end.js';
import { SessionStore } from './session-store.js';
import type { DeliverySession } from './session.js';
import { divideSlots, type SlotDemand } from './slots.js';

/** Pause between fetches: the shortest after a fetch with deliveries, longer with each fetch without. */
const PAUSE_MS = { shortest: 10, shortestWithHints: 50, longest: 100 } as const;

/**
 * While hints of new deliveries arrive, polls of a session only find retries, operators' changes and what was lost. With
 * many sessions of which each has an event every few seconds, polls are most of what a fetch reads.
 */
const POLL_WITH_HINTS_MS = 1_000;

/**
 * What becomes due within this time after a fetch shares the next one, since two fetches cost twice as much as one for
 * two. After a fetch that found several it is longer: more will come.
 */
const GATHER_MS = { afterOne: 8, afterSeveral: 14 } as const;

/** What an idle session that does not ask has of the slots, and wants. */
const IDLE: SlotDemand = { inFlight: 0, busy: 0, wants: 0, isProven: false };

/** Pause after an internal error. */
const FAULT_DELAY_MS = 500;

/** With more blocked deliveries than this, all are parked: each fetch would read them again. */
const MOST_BLOCKED = 50;

/**
 * Fetches for all sessions of this worker at once, starts the attempts, and ends sessions without work. One fetch is in
 * progress at a time: immediately when a session opens or has free slots again, otherwise every 10 to 100 ms.
 */
@Injectable()
export class FetchLoop {
  readonly sessions = new Set<DeliverySession>();
  /** Grows with each answer of PostgreSQL: while it grows, the worker fetches. */
  progress = 0;
  /** When PostgreSQL answered the last fetch, and since when it has not answered the one in progress; null: none is. */
  answeredAtMs = Number.NEGATIVE_INFINITY;
  askingSinceMs: number | null = null;
  /** Sessions that have ended, with requests whose results are still recorded. */
  private readonly gone = new Set<DeliverySession>();
  private rotation = 0;
  private lastFoundAtMs = 0;
  private wake: () => void = () => undefined;
  private isAwake = false;
  private isRunning = false;
  private isFailing = false;
  /** A session has more to fetch than it had slots for. */
  private isFull = false;
  private readonly slots: number;
  private hintsArrive = (): boolean => false;
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private gatherMs: number = GATHER_MS.afterOne;
  private gathering: NodeJS.Timeout | undefined;
  private readonly fetch: (requests: readonly SessionRequest[]) => Promise<readonly Fetched[]>;

  constructor(
    @Inject(CONFIG) { workerConcurrency }: Pick<Config, 'workerConcurrency'>,
    @Inject(SessionStore) private readonly store: Pick<SessionStore, 'fetch' | 'park'>,
    @Inject(Attempts) private readonly attempts: Pick<Attempts, 'attempt'>,
    @Inject(SessionEnd) private readonly ends: Pick<SessionEnd, 'endSessions' | 'recordedAfterwards'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.slots = workerConcurrency;
    this.fetch = measured(metrics, 'fetch', (requests: readonly SessionRequest[]) => store.fetch(requests));
  }

  /** Ids of the deliveries that were fetched and are not recorded yet. */
  get sending(): string[] {
    return [...this.sessions, ...this.gone].flatMap(({ inFlight }) => inFlight.ids);
  }

  /** How many deliveries were fetched and are not recorded yet. */
  get inFlight(): number {
    return [...this.sessions, ...this.gone].reduce((all, { inFlight }) => all + inFlight.size, 0);
  }

  add(session: DeliverySession): void {
    this.sessions.add(session);
    this.wakeUp();
    if (!this.isRunning) void this.run();
  }

  /** Fetches at once for the consumers of which a hint arrives. */
  listen(queue: Pick<DispatchQueue, 'onHint'>): void {
    this.hintsArrive = queue.onHint((consumerIds) => this.hinted(new Set(consumerIds)));
  }

  /** Ends a session at once, also while its deliveries are in flight. */
  drop(session: DeliverySession): void {
    this.sessions.delete(session);
    if (session.inFlight.size > 0) this.gone.add(session);
    session.close();
  }

  /** Starts a fetch now, or as soon as the one in progress is answered. */
  wakeUp(): void {
    this.isAwake = true;
    this.wake();
  }

  /** Resolves when the results of all sessions that have ended are recorded. */
  async drained(): Promise<void> {
    while (this.gone.size > 0) await delay(PAUSE_MS.shortest);
  }

  /** Never rejects; ends when no session is left. */
  private async run(): Promise<void> {
    this.isRunning = true;
    // One turn of the event loop, so that sessions that begin at the same time share a fetch.
    await delay(0);
    while (this.sessions.size > 0) {
      this.isAwake = false;
      try {
        await this.fetchOnce();
        await this.endSessions();
        if (this.isFailing) this.logger.warn({}, 'fetch.recovered');
        this.isFailing = false;
        await this.pause();
      } catch (error) {
        this.metrics.internalFaults.inc({ step: 'fetch' });
        // One line for an outage, not two a second.
        if (!this.isFailing) this.logger.warn({ fault: faultText(error) }, 'fetch.failed');
        this.isFailing = true;
        await delay(FAULT_DELAY_MS, undefined, { ref: false });
      }
    }
    this.isRunning = false;
  }

  private async fetchOnce(): Promise<void> {
    const askedAtMs = performance.now();
    const sessions = this.rotated();
    const pollEveryMs = this.hintsArrive() ? POLL_WITH_HINTS_MS : 0;
    const asking = sessions.filter((session) => session.shouldAsk(askedAtMs, pollEveryMs));
    if (asking.length === 0) return;
    this.askedAtMs = askedAtMs;
    const { shares, short } = this.divide(sessions, new Set(asking), askedAtMs);
    this.askingSinceMs = askedAtMs;
    const fetched = await this.fetch(
      asking.map((session) => session.request(shares.get(session) ?? 0, askedAtMs)),
    ).finally(() => (this.askingSinceMs = null));
    this.answeredAtMs = performance.now();
    this.progress += 1;
    const found = fetched.reduce((all, { deliveries }) => all + deliveries.length, 0);
    if (found > 0) this.gatherMs = found > 1 ? GATHER_MS.afterSeveral : GATHER_MS.afterOne;
    const answers = new Map(fetched.map((one) => [one.consumer.consumerId, one]));
    const parked: BlockedDelivery[] = [];
    for (const session of asking) {
      const answer = answers.get(session.consumerId);
      const share = shares.get(session) ?? 0;
      // PostgreSQL answers every request to open a session of a consumer that exists.
      if (answer === undefined && session.number === null) session.stop('unknown');
      // No answer: the session is still this worker's, and nothing is due.
      else if (answer === undefined) {
        session.confirm(askedAtMs);
        session.mayHaveMore = session.mayHaveMore && share === 0;
      } else parked.push(...this.startAttempts(session, answer, share, askedAtMs));
    }
    this.isFull = short.some((session) => session.mayHaveMore || shares.get(session) === 0);
    // Once for all sessions, after all their requests have begun.
    if (parked.length > 0) await this.store.park(parked);
  }

  private hinted(consumerIds: ReadonlySet<string>): void {
    const nowMs = performance.now();
    let isOurs = false;
    for (const session of this.sessions)
      if (consumerIds.has(session.consumerId)) {
        // At its limit it fetches when a request ends.
        if (session.capacity(nowMs) === 0) session.mayHaveMore = true;
        else isOurs = session.isHinted = true;
      }
    if (isOurs) this.fetchSoon();
  }

  /** Fetches at once, unless the last fetch was a moment ago: then together with what becomes due meanwhile. */
  private fetchSoon(): void {
    const waitMs = this.askedAtMs + this.gatherMs - performance.now();
    if (waitMs <= 0) this.wakeUp();
    else
      this.gathering ??= setTimeout(() => {
        this.gathering = undefined;
        this.wakeUp();
      }, waitMs);
  }

  /** Divides the free slots among the sessions that ask. @returns also those that want more than their share */
  private divide(
    sessions: readonly DeliverySession[],
    asking: ReadonlySet<DeliverySession>,
    nowMs: number,
  ): { readonly shares: ReadonlyMap<DeliverySession, number>; readonly short: readonly DeliverySession[] } {
    const ofGone = [...this.gone].map((session) => session.demand(nowMs));
    const demands = sessions.map((session) => {
      if (asking.has(session)) return session.demand(nowMs);
      // Nearly all sessions are idle, and this is done for each fetch.
      return session.inFlight.size === 0 ? IDLE : { ...session.demand(nowMs), wants: 0 };
    });
    const divided = divideSlots(this.slots, demands, ofGone);
    const shares = new Map(sessions.map((session, index) => [session, divided[index] ?? 0]));
    const short = sessions.filter(
      (session, index) => (demands[index]?.wants ?? 0) > (shares.get(session) ?? 0),
    );
    return { shares, short };
  }

  /** @returns the blocked deliveries to park */
  private startAttempts(
    session: DeliverySession,
    { consumer, deliveries }: Fetched,
    share: number,
    askedAtMs: number,
  ): BlockedDelivery[] {
    const nowMs = performance.now();
    session.update(consumer, askedAtMs, nowMs);
    if (session.endReason !== null) return [];
    session.noteFetched(deliveries);
    // The fetch may have shown an open circuit, then only a probe is sent, or requests of former sessions, which count.
    const isProbe = consumer.health.circuit !== null;
    const most = isProbe ? Number(session.mayProbe) : Math.min(share, session.room);
    let unblocked = 0;
    let started = 0;
    let behind = 0;
    const blocked: BlockedDelivery[] = [];
    const waiting: BlockedDelivery[] = [];
    for (const delivery of deliveries) {
      const { id, blockedBy } = delivery;
      if (blockedBy !== null) {
        blocked.push({ id, blockedBy });
        // A delivery behind one in flight is fetched when that one is recorded. The others would be read at each fetch.
        if (!session.inFlight.has(blockedBy)) waiting.push({ id, blockedBy });
      } else if (session.isBehindOneInFlight(delivery)) behind += 1;
      else {
        unblocked += 1;
        if (started >= most) continue;
        started += 1;
        this.start(session, delivery, isProbe, nowMs);
      }
    }
    // A fetch that may return none only asks about the session.
    const isComplete = share === 0 ? !session.mayHaveMore : unblocked < share;
    session.mayHaveMore = consumer.maySend && (!isComplete || blocked.length + behind > 0);
    if (started > 0) this.lastFoundAtMs = nowMs;
    const parked = blocked.length > MOST_BLOCKED ? blocked : waiting;
    session.blocked = blocked.length - parked.length;
    if (consumer.end !== null) session.noteEndFacts(consumer.end, nowMs);
    return parked;
  }

  private start(session: DeliverySession, delivery: FetchedDelivery, probe: boolean, nowMs: number): void {
    const turn = session.begin(delivery, nowMs);
    void this.attempts.attempt(session, delivery, { probe, turn }).finally(() => {
      this.progress += 1;
      if (!this.sessions.has(session)) this.ends.recordedAfterwards(session.consumerId);
      if (session.inFlight.size === 0) this.gone.delete(session);
      if (session.mayHaveMore || session.endReason !== null || this.isFull) this.wakeUp();
      else if (session.isHinted) this.fetchSoon();
    });
  }

  /** The sessions, another one first each time, so that all get slots when there are fewer slots than sessions. */
  private rotated(): DeliverySession[] {
    const sessions = [...this.sessions];
    this.rotation = (this.rotation + 1) % Math.max(1, sessions.length);
    return [...sessions.slice(this.rotation), ...sessions.slice(0, this.rotation)];
  }

  private async endSessions(): Promise<void> {
    const { slots, sessions } = this;
    const { ended, left } = await this.ends.endSessions(sessions, { slots, hintsArrive: this.hintsArrive() });
    for (const session of ended) this.drop(session);
    // The end of a session that was left is decided by the next fetches.
    if (left > 0) this.isAwake = true;
  }

  private async pause(): Promise<void> {
    if (this.isAwake || this.sessions.size === 0) return;
    // Something that was idle for long is looked at less often.
    const idleMs = performance.now() - this.lastFoundAtMs;
    const shortest = this.hintsArrive() ? PAUSE_MS.shortestWithHints : PAUSE_MS.shortest;
    const pauseMs = Math.min(PAUSE_MS.longest, Math.max(shortest, idleMs / 4));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, pauseMs);
    await promise;
    clearTimeout(timer);
  }
}
