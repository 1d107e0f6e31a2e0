import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '#libs/config';
import type { Fetched, FetchedDelivery, SessionRequest } from '#libs/database';
import { faultText, LOGGER, measured, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { Attempts, type Sending } from './attempts.service.js';
import { SessionEnd } from './session-end.js';
import { SessionStore } from './session-store.js';
import type { DeliverySession } from './session.js';
import { shareSlots } from './share-slots.js';

/** Pause between fetches: the shortest after a fetch with deliveries, longer with each fetch without. */
const PAUSE_MS = { shortest: 10, longest: 100 } as const;

/** Pause after an internal error. */
const FAULT_DELAY_MS = 500;

/** With more blocked deliveries than this, all are parked: each fetch would read them again. */
const MOST_BLOCKED = 50;

/** The largest share of the slots for one consumer while others are served, so that one that hangs never takes all. */
const MOST_OF_SLOTS = 0.75;

export interface BlockedDelivery {
  readonly id: string;
  /** The earlier delivery of the same payment that is still pending. */
  readonly blockedBy: string;
}

export interface DeliverySource {
  /** Opens new sessions and fetches due deliveries for all of them; sessions without news get no answer. */
  fetch(requests: readonly SessionRequest[]): Promise<readonly Fetched[]>;
  /** Makes blocked deliveries due later, so that fetches do not read them. */
  park(blocked: readonly BlockedDelivery[]): Promise<void>;
}

export interface DeliverySender {
  /** Never rejects. */
  attempt(session: DeliverySession, delivery: FetchedDelivery, sending: Sending): Promise<void>;
}

export interface SessionCloser {
  /** Ends the sessions without work. @returns those that have ended */
  endIdle(
    sessions: ReadonlySet<DeliverySession>,
    options: { readonly linger: boolean },
  ): Promise<readonly DeliverySession[]>;
}

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
  private startedAttempts = 0;
  private rotation = 0;
  private lastFoundAtMs = 0;
  private wake: () => void = () => undefined;
  private isAwake = false;
  private isRunning = false;
  private isFailing = false;
  private readonly slots: number;
  private readonly fetch: (requests: readonly SessionRequest[]) => Promise<readonly Fetched[]>;

  constructor(
    @Inject(CONFIG) { workerConcurrency }: Pick<Config, 'workerConcurrency'>,
    @Inject(SessionStore) private readonly source: DeliverySource,
    @Inject(Attempts) private readonly sender: DeliverySender,
    @Inject(SessionEnd) private readonly closer: SessionCloser,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    this.slots = workerConcurrency;
    this.fetch = measured(metrics, 'fetch', (requests: readonly SessionRequest[]) => source.fetch(requests));
  }

  /** Deliveries that were fetched and are not recorded yet. */
  get inFlight(): number {
    return this.startedAttempts;
  }

  add(session: DeliverySession): void {
    this.sessions.add(session);
    this.wakeUp();
    if (!this.isRunning) void this.run();
  }

  /** Ends a session at once, also while its deliveries are in flight. */
  drop(session: DeliverySession): void {
    this.sessions.delete(session);
    session.close();
  }

  /** Starts a fetch now, or as soon as the one in progress is answered. */
  wakeUp(): void {
    this.isAwake = true;
    this.wake();
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
    const asking = this.rotated().filter((session) => session.shouldAsk(askedAtMs));
    if (asking.length === 0) return;
    const most = this.sessions.size > 1 ? Math.ceil(this.slots * MOST_OF_SLOTS) : this.slots;
    const shares = shareSlots(
      this.slots - this.startedAttempts,
      asking.map((session) =>
        Math.min(session.capacity(askedAtMs), Math.max(0, most - session.inFlight.size)),
      ),
    );
    this.askingSinceMs = askedAtMs;
    const fetched = await this.fetch(
      asking.map((session, index) => session.request(shares[index] ?? 0, askedAtMs)),
    ).finally(() => (this.askingSinceMs = null));
    this.answeredAtMs = performance.now();
    this.progress += 1;
    const answers = new Map(fetched.map((one) => [one.consumer.consumerId, one]));
    for (const [index, session] of asking.entries()) {
      const answer = answers.get(session.consumerId);
      const share = shares[index] ?? 0;
      // PostgreSQL answers every request to open a session of a consumer that exists.
      if (answer === undefined && session.number === null) session.stop('unknown');
      // No answer: the session is still this worker's, and nothing is due.
      else if (answer === undefined) {
        session.confirm(askedAtMs);
        session.mayHaveMore = session.mayHaveMore && share === 0;
      } else await this.startAttempts(session, answer, share, askedAtMs);
    }
  }

  private async startAttempts(
    session: DeliverySession,
    { consumer, deliveries }: Fetched,
    share: number,
    askedAtMs: number,
  ): Promise<void> {
    const nowMs = performance.now();
    session.update(consumer, askedAtMs, nowMs);
    if (session.endReason !== null) return;
    session.noteFetched(deliveries);
    const unblocked = deliveries.filter(({ blockedBy }) => blockedBy === null).slice(0, share);
    // The fetch may have shown that the circuit is open: then only a probe is sent.
    const isProbe = consumer.health.circuit !== null;
    const sendable = isProbe && !session.isProbeDue ? [] : isProbe ? unblocked.slice(0, 1) : unblocked;
    for (const delivery of sendable) this.start(session, delivery, isProbe, nowMs);
    const blocked = deliveries.flatMap(({ id, blockedBy }) =>
      blockedBy === null ? [] : [{ id, blockedBy }],
    );
    session.mayHaveMore = consumer.maySend && (unblocked.length >= Math.max(1, share) || blocked.length > 0);
    if (sendable.length > 0) this.lastFoundAtMs = nowMs;
    // A delivery behind one in flight is fetched when that one is recorded. The others would be read at each fetch.
    const waiting = blocked.filter(({ blockedBy }) => !session.inFlight.has(blockedBy));
    const parked = blocked.length > MOST_BLOCKED ? blocked : waiting;
    session.blocked = blocked.length - parked.length;
    if (parked.length > 0) await this.source.park(parked);
  }

  private start(session: DeliverySession, delivery: FetchedDelivery, probe: boolean, nowMs: number): void {
    const turn = session.begin(delivery, nowMs);
    this.startedAttempts += 1;
    void this.sender.attempt(session, delivery, { probe, turn }).finally(() => {
      const wasFull = this.startedAttempts >= this.slots;
      this.startedAttempts -= 1;
      this.progress += 1;
      if (session.mayHaveMore || session.endReason !== null || wasFull) this.wakeUp();
    });
  }

  /** The sessions, another one first each time, so that all get slots when there are fewer slots than sessions. */
  private rotated(): DeliverySession[] {
    const sessions = [...this.sessions];
    this.rotation = (this.rotation + 1) % Math.max(1, sessions.length);
    return [...sessions.slice(this.rotation), ...sessions.slice(0, this.rotation)];
  }

  private async endSessions(): Promise<void> {
    // Each session occupies one of BullMQ's slots: when all are taken, sessions without work end at once.
    const linger = this.sessions.size < this.slots;
    for (const session of await this.closer.endIdle(this.sessions, { linger })) {
      this.drop(session);
    }
  }

  private async pause(): Promise<void> {
    if (this.isAwake || this.sessions.size === 0) return;
    const idleMs = performance.now() - this.lastFoundAtMs;
    const pauseMs = Math.min(PAUSE_MS.longest, Math.max(PAUSE_MS.shortest, idleMs / 4));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, pauseMs);
    await promise;
    clearTimeout(timer);
  }
}
