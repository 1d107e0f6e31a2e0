import { setTimeout as delay } from 'node:timers/promises';
import type { FetchedConsumer, FetchedDelivery, SessionRequest } from '#libs/database';
import { REDUCED_CONCURRENCY, REDUCED_AFTER_FAILURES, HEALTHY, type Health } from '#libs/policy';
import { DueFrom } from './due-from.js';
import { Pace } from './pace.js';

/** A session without work stays open for this long, so that the consumer's next delivery needs no job. */
const LINGER_MS = 1_000;

/** A delivery that failed with an internal error is not fetched again for this long. */
const SET_ASIDE_MS = 5_000;

/** A request may be sent only if the session's number was compared with PostgreSQL's within this time. */
const FENCE_VALID_MS = 4_000;

/** Between two fetches for a consumer that fails: immediate failures would keep the worker busy. */
const FAILING_FETCH_EVERY_MS = 250;

/** A session that PostgreSQL has not confirmed for this long ends: BullMQ's lock of its job lasts as long. */
export const LOCK_MS = 6_000;

/** A session whose number was not compared with PostgreSQL's for this long asks for it, although it can fetch nothing. */
const CONFIRM_EVERY_MS = 2_000;

/** Why a session fetches no more deliveries. */
export type EndReason =
  /** Another worker has opened a session of the consumer. */
  | 'fenced'
  /** BullMQ may have given the job to another worker. */
  | 'lock_lost'
  /** PostgreSQL has not confirmed the session for as long as its lock lasts: another worker may be able to deliver. */
  | 'unconfirmed'
  /** PostgreSQL has no such consumer: the job is from another installation, or from before a restore. */
  | 'unknown'
  /** Another consumer or another worker waits for the session. */
  | 'yields'
  /** The process stops. */
  | 'stops';

/** After these another worker may deliver to the consumer, so nothing more may be sent. */
const FORBIDS_SENDING: ReadonlySet<EndReason | null> = new Set(['fenced', 'lock_lost', 'unconfirmed']);

/**
 * The state of one consumer while this worker delivers to it: deliveries in flight, limits, health. No other worker delivers
 * to the consumer meanwhile, so all decisions are made in memory. Times are `performance.now()`.
 */
export class DeliverySession {
  /** The fencing token; null until PostgreSQL has opened the session. */
  number: number | null = null;
  consumer: FetchedConsumer | null = null;
  /** Due times of the deliveries whose result is not recorded yet, by delivery id. */
  readonly inFlight = new Map<string, Date>();
  /** The last fetch returned as many deliveries as it was allowed to, or blocked ones. */
  mayHaveMore = false;
  /** Number of due deliveries that wait for an earlier one in flight; the next fetch returns them again. */
  blocked = 0;
  endReason: EndReason | null = null;
  /** A close is in progress; nothing is fetched meanwhile. */
  isClosing = false;
  readonly ended: Promise<void>;
  /** The last success in this session; written together with the next other change. */
  lastSuccessAtMs: number | null = null;
  private healthNow: Health = HEALTHY;
  private healthChangedAtMs = Number.NEGATIVE_INFINITY;
  private pace: Pace | null = null;
  private lastTurn = Promise.resolve();
  private isOutdated = false;
  private checkedAtMs: number;
  private lockedAtMs: number;
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private lastWorkAtMs: number;
  private readonly setAside = new Map<string, { readonly untilMs: number; readonly dueAt: Date }>();
  private readonly dueFrom: DueFrom;
  private readonly end: () => void;

  constructor(
    readonly consumerId: string,
    readonly jobId: string,
    readonly openedAtMs: number,
    /** When BullMQ locked the job. */
    lockedAtMs = openedAtMs,
  ) {
    this.lastWorkAtMs = openedAtMs;
    this.checkedAtMs = openedAtMs;
    this.lockedAtMs = lockedAtMs;
    this.dueFrom = new DueFrom(openedAtMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.end = resolve;
  }

  get health(): Health {
    return this.healthNow;
  }

  /** Sets the health that was recorded with this worker's attempts. */
  noteHealth(health: Health, nowMs: number): void {
    this.healthNow = health;
    this.healthChangedAtMs = nowMs;
  }

  /**
   * Applies a fetch's answer. The session's number and its health are as old as the request. The rate limit counts from the
   * answer: counted from the request, it would end before `nextSendInMs` has passed.
   */
  update(consumer: FetchedConsumer, askedAtMs: number, answeredAtMs: number): void {
    if (!consumer.held) {
      this.stop('fenced');
      return;
    }
    this.number = consumer.session;
    this.consumer = consumer;
    this.isOutdated = false;
    this.pace ??= new Pace(answeredAtMs, consumer.nextSendInMs);
    this.confirm(askedAtMs);
    // PostgreSQL's value includes changes by operators, but not attempts that were recorded after the request.
    if (askedAtMs > this.healthChangedAtMs) this.healthNow = consumer.health;
  }

  /** Notes all due deliveries of the consumer except those in flight or set aside, the earliest first. */
  noteFetched(deliveries: readonly FetchedDelivery[]): void {
    this.dueFrom.note(
      deliveries.map(({ dueAt }) => dueAt),
      [...this.inFlight.values(), ...[...this.setAside.values()].map(({ dueAt }) => dueAt)],
    );
  }

  /** Notes that the number was PostgreSQL's at that time. */
  confirm(askedAtMs: number): void {
    this.checkedAtMs = Math.max(this.checkedAtMs, askedAtMs);
  }

  /** How long PostgreSQL has not confirmed that this worker has the consumer. */
  unconfirmedMs(nowMs: number): number {
    return nowMs - this.checkedAtMs;
  }

  /** Notes that BullMQ has renewed the lock of the job. */
  renewLock(nowMs: number): void {
    this.lockedAtMs = nowMs;
  }

  /** Whether the next fetch has to ask for this session: to open it, for deliveries, or only for its number. */
  shouldAsk(nowMs: number): boolean {
    if (this.number !== null)
      return this.capacity(nowMs) > 0 || (!this.isClosing && this.unconfirmedMs(nowMs) > CONFIRM_EVERY_MS);
    // Another worker may have the job of a lock that has run out; to open the session would fence that worker out.
    if (nowMs - this.lockedAtMs >= LOCK_MS) this.stop('lock_lost');
    return this.endReason === null;
  }

  /** @throws when a request must not be sent any more */
  assertMaySend(nowMs: number): void {
    if (FORBIDS_SENDING.has(this.endReason))
      throw new Error('another worker may deliver to this consumer; nothing was sent');
    if (nowMs - this.checkedAtMs > FENCE_VALID_MS)
      throw new Error('the process was suspended between fetch and send; nothing was sent');
  }

  /** How many more deliveries may be fetched now. */
  capacity(nowMs: number): number {
    if (this.endReason !== null || this.isClosing) return 0;
    if (this.consumer === null || this.isOutdated) return 1;
    const { maxConcurrency, maxPerSecond } = this.consumer;
    if (this.healthNow.circuit !== null) return this.isProbeDue && this.inFlight.size === 0 ? 1 : 0;
    const isFailing = this.healthNow.failures >= REDUCED_AFTER_FAILURES;
    if (isFailing && nowMs - this.askedAtMs < FAILING_FETCH_EVERY_MS) return 0;
    const limit = isFailing ? Math.min(maxConcurrency, REDUCED_CONCURRENCY) : maxConcurrency;
    const free = limit - this.inFlight.size;
    if (free <= 0 || maxPerSecond === null || this.pace === null) return Math.max(0, free);
    return Math.min(free, this.pace.capacity(nowMs, maxPerSecond));
  }

  /** The circuit is open and its next probe is due. */
  get isProbeDue(): boolean {
    const { circuit } = this.healthNow;
    return circuit !== null && circuit.nextProbeAtMs <= performance.now();
  }

  /** Deliveries wait only because of the consumer's own limits. */
  isAtLimit(nowMs: number): boolean {
    return (
      this.mayHaveMore &&
      this.consumer !== null &&
      this.capacity(nowMs) === 0 &&
      this.healthNow.circuit === null
    );
  }

  /** @param share the number of slots for this session */
  request(share: number, nowMs: number): SessionRequest {
    if (share > 0) this.askedAtMs = nowMs;
    for (const [id, { untilMs }] of this.setAside)
      if (untilMs <= nowMs) {
        this.setAside.delete(id);
        this.dueFrom.reset();
      }
    return {
      consumerId: this.consumerId,
      session: this.number,
      wanted: share === 0 ? 0 : share + this.blocked,
      dueFrom: this.dueFrom.next(nowMs),
      inFlight: [...this.inFlight.keys(), ...this.setAside.keys()],
    };
  }

  /** Puts a delivery in flight. @returns a promise that resolves when `maxPerSecond` allows it, in the order of the calls */
  begin({ id, dueAt }: Pick<FetchedDelivery, 'id' | 'dueAt'>, nowMs: number): Promise<void> {
    this.inFlight.set(id, dueAt);
    this.lastWorkAtMs = nowMs;
    const maxPerSecond = this.consumer?.maxPerSecond ?? null;
    if (maxPerSecond !== null && this.pace !== null)
      this.lastTurn = this.waitForTurn(this.lastTurn, this.pace, maxPerSecond);
    return this.lastTurn;
  }

  private async waitForTurn(before: Promise<void>, pace: Pace, maxPerSecond: number): Promise<void> {
    pace.join();
    await before;
    for (;;) {
      const waitMs = pace.tryStart(performance.now(), maxPerSecond);
      if (waitMs === 0) return;
      await delay(waitMs);
    }
  }

  /** Removes a delivery whose attempt has ended. */
  finish(deliveryId: string, nowMs: number): void {
    this.inFlight.delete(deliveryId);
    this.lastWorkAtMs = nowMs;
  }

  /** Removes a delivery that failed with an internal error; it stays due in PostgreSQL and is fetched again later. */
  deferAfterFault(deliveryId: string, nowMs: number): void {
    const dueAt = this.inFlight.get(deliveryId);
    if (dueAt === undefined) return;
    this.inFlight.delete(deliveryId);
    this.setAside.set(deliveryId, { untilMs: nowMs + SET_ASIDE_MS, dueAt });
  }

  stop(reason: EndReason): void {
    // A reason that forbids sending replaces one that only ends the session.
    if (this.endReason === null || FORBIDS_SENDING.has(reason)) this.endReason = reason;
  }

  /** Whether the session should end now: nothing is in flight, and nothing is due or may be sent. */
  shouldEnd(nowMs: number, lingers: boolean): boolean {
    if (this.inFlight.size > 0 || this.isClosing) return false;
    if (this.endReason !== null) return true;
    if (this.consumer === null) return false;
    if (!this.consumer.maySend) return true;
    if (this.healthNow.circuit !== null && !this.isProbeDue) return true;
    return !this.mayHaveMore && nowMs - this.lastWorkAtMs >= (lingers ? LINGER_MS : 0);
  }

  /** Continues after a refused close: a delivery is due, for example a probe that an operator requested. */
  keepOpen(nowMs: number): void {
    this.isClosing = false;
    this.isOutdated = true;
    this.mayHaveMore = true;
    this.dueFrom.reset();
    this.lastWorkAtMs = nowMs;
  }

  /** Milliseconds until `maxPerSecond` allows the next request; null without such a limit. */
  nextSendInMs(nowMs: number): number | null {
    return this.consumer?.maxPerSecond == null ? null : (this.pace?.nextSendInMs(nowMs) ?? null);
  }

  /** Resolves `ended`: the job completes. */
  close(): void {
    this.end();
  }
}
