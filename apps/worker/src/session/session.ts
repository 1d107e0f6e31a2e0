import type { EndFacts, FetchedConsumer, FetchedDelivery, SentRequest, SessionRequest } from '#libs/database';
import { FAILING_AFTER, HEALTHY, type Health } from '#libs/policy';
import { LOCK_MS } from '#libs/queue';
import { DueFrom } from './due-from.js';
import { LOSES_CONSUMER, NotSentError, type EndReason } from './end-reason.js';
import { RequestsInFlight, type StartedDelivery } from './in-flight.js';
import type { Leaving } from './leaving.js';
import { Pace } from './pace.js';
import { SlowStart, type SlotDemand } from './slots.js';

/** A delivery that failed with an internal error is not fetched again for this long. */
const SET_ASIDE_MS = 5_000;

/** A request may be sent only if the session's number was compared with PostgreSQL's within this time. */
const FENCE_VALID_MS = 4_000;

/** Between two fetches for a consumer that fails: immediate failures would keep the worker busy. */
const FAILING_FETCH_EVERY_MS = 50;

/** Within the consumer's timeout and this time, the answer to a request in flight is recorded, unless the worker dies. */
const RECORDED_WITHIN_MS = 5_000;

/** A session whose number was not compared with PostgreSQL's for this long asks for it, although it can fetch nothing. */
const CONFIRM_EVERY_MS = 2_000;

/**
 * The state of one consumer while this worker delivers to it: deliveries in flight, limits, health. No other worker delivers
 * to the consumer meanwhile, so all decisions are made in memory. Times are `performance.now()`.
 */
export class DeliverySession {
  /** The fencing token; null until PostgreSQL has opened the session. */
  number: number | null = null;
  consumer: FetchedConsumer | null = null;
  readonly inFlight = new RequestsInFlight();
  /** The last fetch returned as many deliveries as it was allowed to, or blocked ones. */
  mayHaveMore = false;
  /** Something has become due since the last fetch. */
  isHinted = false;
  /** Number of due deliveries that wait for an earlier one in flight; the next fetch returns them again. */
  blocked = 0;
  endReason: EndReason | null = null;
  /** Not null after the session was left for lack of work. */
  leaving: Leaving | null = null;
  /** Nothing more is sent in this session, which goes to another one; its requests in flight are still recorded. */
  isLeft = false;
  /** The last success in this session; written together with the next other change. */
  lastSuccessAtMs: number | null = null;
  private readonly slowStart = new SlowStart();
  /** Requests of former sessions that are not recorded yet. */
  private heldElsewhere = 0;
  private reopens = false;
  private healthNow: Health = HEALTHY;
  private healthChangedAtMs = Number.NEGATIVE_INFINITY;
  private pace: Pace | null = null;
  private isOutdated = false;
  private checkedAtMs: number;
  private askedAtMs = Number.NEGATIVE_INFINITY;
  lastWorkAtMs: number;
  private readonly setAside = new Map<string, { readonly untilMs: number; readonly dueAt: Date }>();
  private readonly dueFrom: DueFrom;
  private readonly end = Promise.withResolvers<void>();
  readonly ended = this.end.promise;

  constructor(
    readonly consumerId: string,
    readonly jobId: string,
    readonly openedAtMs: number,
    /** When BullMQ locked the job, or renewed its lock. */
    public lockedAtMs = openedAtMs,
  ) {
    this.lastWorkAtMs = openedAtMs;
    this.checkedAtMs = openedAtMs;
    this.dueFrom = new DueFrom(openedAtMs);
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
    if (consumer.heldElsewhere !== null) this.heldElsewhere = consumer.heldElsewhere;
  }

  /** Slow start counts an answer when it arrives, before it is recorded. */
  noteAnswer(succeeded: boolean, nowMs: number): void {
    if (succeeded) this.slowStart.succeeded(nowMs, this.consumer?.maxConcurrency ?? 1);
    else this.slowStart.failed();
  }

  /** Notes all due deliveries of the consumer except those in flight or set aside, the earliest first. */
  noteFetched(deliveries: readonly FetchedDelivery[]): void {
    this.dueFrom.note(
      deliveries.map(({ dueAt }) => dueAt),
      [...this.inFlight.dueTimes, ...[...this.setAside.values()].map(({ dueAt }) => dueAt)],
    );
  }

  /** Notes that the number was PostgreSQL's at that time. */
  confirm(askedAtMs: number): void {
    this.checkedAtMs = Math.max(this.checkedAtMs, askedAtMs);
  }

  /** How long PostgreSQL has not confirmed the session. */
  unconfirmedMs(nowMs: number): number {
    return nowMs - this.checkedAtMs;
  }

  /**
   * Whether the next fetch has to ask for this session: to open it, for deliveries, or only for its number.
   * @param pollEveryMs a session of which nothing new is known is asked for after this time
   */
  shouldAsk(nowMs: number, pollEveryMs: number): boolean {
    if (this.number !== null) {
      if (this.endReason !== null) return false;
      if (this.leaving !== null || this.heldElsewhere > 0) return true;
      const isNew = this.mayHaveMore || this.isHinted || nowMs - this.askedAtMs >= pollEveryMs;
      return (isNew && this.capacity(nowMs) > 0) || this.unconfirmedMs(nowMs) > CONFIRM_EVERY_MS;
    }
    // Another worker may have the job of a lock that has run out; to open the session would fence that worker out.
    if (nowMs - this.lockedAtMs >= LOCK_MS) this.stop('lock_lost');
    return this.endReason === null;
  }

  /**
   * Notes that a request goes on the wire now.
   * @throws NotSentError when it must not be sent any more
   */
  goesOnTheWire(deliveryId: string, nowMs: number): void {
    if (LOSES_CONSUMER.has(this.endReason) || this.isLeft)
      throw new NotSentError('another worker may deliver to this consumer; nothing was sent');
    if (nowMs - this.checkedAtMs > FENCE_VALID_MS)
      throw new NotSentError('the process was suspended between fetch and send; nothing was sent');
    this.inFlight.noteSent(deliveryId);
  }

  /** How many more requests the consumer's own limit allows, beside those in flight, also of former sessions. */
  get room(): number {
    return (this.consumer?.maxConcurrency ?? 1) - this.heldElsewhere - this.inFlight.size;
  }

  /** How many more deliveries may be fetched now. */
  capacity(nowMs: number): number {
    if (this.endReason !== null) return 0;
    if (this.consumer === null || this.isOutdated) return 1;
    const { maxPerSecond } = this.consumer;
    if (this.healthNow.circuit !== null) return this.mayProbe ? 1 : 0;
    if (this.healthNow.failures >= FAILING_AFTER && nowMs - this.askedAtMs < FAILING_FETCH_EVERY_MS) return 0;
    // Requests of former sessions do not count towards what this session has earned.
    const free = Math.min(this.room, this.slowStart.free(nowMs, this.inFlight));
    if (free <= 0 || maxPerSecond === null || this.pace === null) return Math.max(0, free);
    return Math.min(free, this.pace.capacity(nowMs, maxPerSecond));
  }

  /** What the session has of the worker's slots, and wants. */
  demand(nowMs: number): SlotDemand {
    return {
      inFlight: this.inFlight.size,
      busy: this.inFlight.busy(nowMs),
      wants: this.capacity(nowMs),
      isProven: this.slowStart.isProven(nowMs, this.inFlight),
    };
  }

  /** An earlier status of the delivery's payment is in flight, also if it was cancelled meanwhile. */
  isBehindOneInFlight(delivery: Pick<FetchedDelivery, 'eventType' | 'paymentId'>): boolean {
    return this.consumer?.ordering === 'payment' && this.inFlight.hasPayment(delivery);
  }

  /** A probe is due, and nothing is in flight, also not of a former session. */
  get mayProbe(): boolean {
    return this.isProbeDue && this.inFlight.size === 0 && this.heldElsewhere === 0;
  }

  /** The circuit is open and its next probe is due. */
  get isProbeDue(): boolean {
    return (this.healthNow.circuit?.nextProbeAtMs ?? Infinity) <= performance.now();
  }

  /** Deliveries wait only because of the consumer's own limits. */
  isAtLimit(nowMs: number): boolean {
    const isServed = this.consumer !== null && this.healthNow.circuit === null;
    return isServed && this.mayHaveMore && this.capacity(nowMs) === 0;
  }

  /** @param share the number of slots for this session */
  request(share: number, nowMs: number): SessionRequest {
    if (share > 0) {
      this.askedAtMs = nowMs;
      this.isHinted = false;
    }
    for (const [id, { untilMs }] of this.setAside)
      if (untilMs <= nowMs) {
        this.setAside.delete(id);
        this.dueFrom.reset();
      }
    return {
      consumerId: this.consumerId,
      session: this.number,
      reopens: this.reopens,
      marks: this.leaving?.needsMark ?? false,
      answers: this.leaving !== null || this.reopens || this.heldElsewhere > 0,
      wanted: share === 0 ? 0 : share + this.blocked,
      dueFrom: share === 0 ? null : this.dueFrom.next(nowMs),
      inFlight: [...this.inFlight.ids, ...this.setAside.keys()],
    };
  }

  /** Puts a delivery in flight. @returns a promise that resolves when `maxPerSecond` allows it, in the order of the calls */
  begin(delivery: StartedDelivery, nowMs: number): Promise<void> {
    this.inFlight.begin(delivery, nowMs);
    this.lastWorkAtMs = nowMs;
    const maxPerSecond = this.consumer?.maxPerSecond ?? null;
    return maxPerSecond === null || this.pace === null ? Promise.resolve() : this.pace.turn(maxPerSecond);
  }

  /** Removes a delivery whose attempt has ended. */
  finish(deliveryId: string, nowMs: number): void {
    this.inFlight.end(deliveryId);
    this.lastWorkAtMs = nowMs;
  }

  /** Removes a delivery that failed with an internal error; it stays due in PostgreSQL and is fetched again later. */
  deferAfterFault(deliveryId: string, nowMs: number): void {
    const delivery = this.inFlight.end(deliveryId);
    if (delivery === undefined) return;
    this.setAside.set(deliveryId, { untilMs: nowMs + SET_ASIDE_MS, dueAt: delivery.dueAt });
  }

  stop(reason: EndReason): void {
    // A reason that forbids sending replaces one that only ends the session.
    if (this.endReason === null || LOSES_CONSUMER.has(reason)) this.endReason = reason;
  }

  /** Whether the session has had no work for so long: nothing is in flight, and nothing is due; or nothing may be sent. */
  isIdle(nowMs: number, forMs: number): boolean {
    if (this.inFlight.size > 0 || this.consumer === null || this.endReason !== null) return false;
    if (!this.consumer.maySend) return true;
    if (this.healthNow.circuit !== null && !this.isProbeDue) return true;
    return !this.mayHaveMore && nowMs - this.lastWorkAtMs >= forMs;
  }

  /** Sends nothing more. @returns the requests that may have been sent, for `leaveSessions` */
  leave(): SentRequest[] {
    this.isLeft = true;
    return this.inFlight.sent({
      holdMs: (this.consumer?.timeoutMs ?? 0) + RECORDED_WITHIN_MS,
      isOrdered: this.consumer?.ordering === 'payment',
    });
  }

  /** A session that was left goes on when a delivery is due, for example a probe that an operator requested. */
  noteEndFacts(facts: EndFacts, nowMs: number): void {
    this.reopens = false;
    if (this.leaving === null || this.leaving.note(facts, nowMs)) return;
    this.leaving = null;
    this.reopens = true;
    this.isOutdated = true;
    this.mayHaveMore = true;
    this.dueFrom.reset();
    this.lastWorkAtMs = nowMs;
  }

  /** Milliseconds until `maxPerSecond` allows the next request; null without such a limit. */
  nextSendInMs = (nowMs: number): number | null =>
    this.consumer?.maxPerSecond == null ? null : (this.pace?.nextSendInMs(nowMs) ?? null);

  /** Resolves `ended`: the job completes. */
  close(): void {
    this.end.resolve();
  }
}
