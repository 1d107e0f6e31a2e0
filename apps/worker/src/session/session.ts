import { setTimeout as delay } from 'node:timers/promises';
import type { FetchedConsumer, FetchedDelivery, SessionRequest } from '#libs/database';
import { REDUCED_CONCURRENCY, REDUCED_AFTER_FAILURES, HEALTHY, type Health } from '#libs/policy';
import { DueFrom } from './due-from.js';
import { Pace } from './pace.js';

/** A session without work stays open for so long: its next delivery then needs no job. */
const LINGER_MS = 1_000;

/** What cannot be sent for a reason of ours is left alone for so long. */
const SET_ASIDE_MS = 5_000;

/** A request goes on the wire only if the session's number was compared with PostgreSQL's so recently. */
const FENCE_VALID_MS = 4_000;

/** After ten failures in a row it is asked for more only so often: what fails at once would keep the worker busy. */
const AILING_EVERY_MS = 250;

/** Why a session fetches nothing more. */
export type EndReason =
  /** Another worker has opened one, or BullMQ has given the job to somebody else. */
  | 'fenced'
  | 'lock_lost'
  /** PostgreSQL does not know the consumer: the job is of another installation, or of one that was restored. */
  | 'unknown'
  /** Others wait for a session, or for a share of the work. */
  | 'yields'
  | 'stops';

/**
 * One consumer's state while this worker delivers to it: what is in flight, its limits, its health. All decisions are made
 * in this process's memory, since no other worker delivers to the consumer meanwhile. Times are `performance.now()`.
 */
export class DeliverySession {
  /** The fencing token; null until the session is opened. */
  number: number | null = null;
  consumer: FetchedConsumer | null = null;
  /** Deliveries whose result is not recorded yet, and when each was due. */
  readonly inFlight = new Map<string, Date>();
  /** The last fetch brought all that there was room for, or some that wait for an earlier one. */
  mayHaveMore = false;
  /** Due deliveries that wait for an earlier one in flight: the next fetch looks past them. */
  blocked = 0;
  endReason: EndReason | null = null;
  /** A close is under way, during which nothing is fetched. */
  isClosing = false;
  readonly ended: Promise<void>;
  /** In this session; written when something else is written anyway. */
  lastSuccessAt: Date | null = null;
  private healthNow: Health = HEALTHY;
  private healthChangedAtMs = Number.NEGATIVE_INFINITY;
  private pace: Pace | null = null;
  private lastInLine = Promise.resolve();
  private isOutdated = false;
  private checkedAtMs = Number.NEGATIVE_INFINITY;
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private lastWorkAtMs: number;
  private readonly setAside = new Map<string, { readonly untilMs: number; readonly dueAt: Date }>();
  private readonly dueFrom: DueFrom;
  private readonly end: () => void;

  constructor(
    readonly consumerId: string,
    readonly jobId: string,
    readonly openedAtMs: number,
  ) {
    this.lastWorkAtMs = openedAtMs;
    this.dueFrom = new DueFrom(openedAtMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.end = resolve;
  }

  get health(): Health {
    return this.healthNow;
  }

  /** What this worker's attempts have shown of the consumer, as it was recorded with them. */
  noteHealth(health: Health, nowMs: number): void {
    this.healthNow = health;
    this.healthChangedAtMs = nowMs;
  }

  /** A fetch's answer; `askedAtMs` is when it was asked, since the answer is as old as that. */
  learn(consumer: FetchedConsumer, askedAtMs: number): void {
    if (!consumer.held) {
      this.stop('fenced');
      return;
    }
    this.number = consumer.session;
    this.consumer = consumer;
    this.isOutdated = false;
    this.pace ??= new Pace(askedAtMs, consumer.nextSendInMs);
    this.confirm(askedAtMs);
    // What an operator has changed counts, unless this worker's own attempts have changed it since the question.
    if (askedAtMs > this.healthChangedAtMs) this.healthNow = consumer.health;
  }

  /** All that is due of the consumer, in its order, but for what is in flight or set aside. */
  noteFetched(deliveries: readonly FetchedDelivery[]): void {
    this.dueFrom.note(
      deliveries.map(({ dueAt }) => dueAt),
      [...this.inFlight.values(), ...[...this.setAside.values()].map(({ dueAt }) => dueAt)],
    );
  }

  /** The number was PostgreSQL's at that time. */
  confirm(askedAtMs: number): void {
    this.checkedAtMs = Math.max(this.checkedAtMs, askedAtMs);
  }

  /** @throws when a request must not go on the wire any more */
  assertMaySend(nowMs: number): void {
    if (this.endReason === 'fenced' || this.endReason === 'lock_lost')
      throw new Error('another worker may deliver to this consumer; nothing was sent');
    if (nowMs - this.checkedAtMs > FENCE_VALID_MS)
      throw new Error('the process was suspended between fetch and send; nothing was sent');
  }

  /** How many more deliveries may be fetched now. */
  room(nowMs: number): number {
    if (this.endReason !== null || this.isClosing) return 0;
    if (this.consumer === null || this.isOutdated) return 1;
    const { maxConcurrency, maxPerSecond } = this.consumer;
    if (this.healthNow.circuit !== null) return this.isProbeDue && this.inFlight.size === 0 ? 1 : 0;
    const isAiling = this.healthNow.failures >= REDUCED_AFTER_FAILURES;
    if (isAiling && nowMs - this.askedAtMs < AILING_EVERY_MS) return 0;
    const limit = isAiling ? Math.min(maxConcurrency, REDUCED_CONCURRENCY) : maxConcurrency;
    const free = limit - this.inFlight.size;
    if (free <= 0 || maxPerSecond === null || this.pace === null) return Math.max(0, free);
    return Math.min(free, this.pace.room(nowMs, maxPerSecond));
  }

  /** The circuit is open, and it is time to ask the consumer. */
  get isProbeDue(): boolean {
    const { circuit } = this.healthNow;
    return circuit !== null && circuit.nextProbeAt.getTime() <= Date.now();
  }

  /** Nothing moves for the consumer's own limits. */
  isAtLimit(nowMs: number): boolean {
    return (
      this.mayHaveMore && this.consumer !== null && this.room(nowMs) === 0 && this.healthNow.circuit === null
    );
  }

  /** @param share slots that it is given */
  request(share: number, nowMs: number): SessionRequest {
    if (share > 0) this.askedAtMs = nowMs;
    for (const [id, { untilMs }] of this.setAside)
      if (untilMs <= nowMs) {
        this.setAside.delete(id);
        this.dueFrom.lookAtAll();
      }
    return {
      consumerId: this.consumerId,
      session: this.number,
      wanted: share === 0 ? 0 : share + this.blocked,
      dueFrom: this.dueFrom.next(nowMs),
      inFlight: [...this.inFlight.keys(), ...this.setAside.keys()],
    };
  }

  /** A delivery is to be sent. @returns what resolves when `maxPerSecond` allows it, in the order of the calls */
  begin({ id, dueAt }: Pick<FetchedDelivery, 'id' | 'dueAt'>, nowMs: number): Promise<void> {
    this.inFlight.set(id, dueAt);
    this.lastWorkAtMs = nowMs;
    const maxPerSecond = this.consumer?.maxPerSecond ?? null;
    if (maxPerSecond !== null && this.pace !== null)
      this.lastInLine = this.waitForTurn(this.lastInLine, this.pace, maxPerSecond);
    return this.lastInLine;
  }

  private async waitForTurn(before: Promise<void>, pace: Pace, maxPerSecond: number): Promise<void> {
    pace.join();
    await before;
    for (;;) {
      const waitMs = pace.take(performance.now(), maxPerSecond);
      if (waitMs === 0) return;
      await delay(waitMs);
    }
  }

  /** Its result is recorded, or will never be. */
  finish(deliveryId: string, nowMs: number): void {
    this.inFlight.delete(deliveryId);
    this.lastWorkAtMs = nowMs;
  }

  /** It could not be sent for a reason of ours, and changes nothing in PostgreSQL. */
  putAside(deliveryId: string, nowMs: number): void {
    const dueAt = this.inFlight.get(deliveryId);
    if (dueAt === undefined) return;
    this.inFlight.delete(deliveryId);
    this.setAside.set(deliveryId, { untilMs: nowMs + SET_ASIDE_MS, dueAt });
  }

  stop(reason: EndReason): void {
    // What forbids sending outweighs what only ends the session.
    if (this.endReason === null || reason === 'fenced' || reason === 'lock_lost') this.endReason = reason;
  }

  /** Whether it is time to end: nothing is in flight, and nothing to do, or something that forbids it. */
  shouldEnd(nowMs: number, lingers: boolean): boolean {
    if (this.inFlight.size > 0 || this.isClosing) return false;
    if (this.endReason !== null) return true;
    if (this.consumer === null) return false;
    if (!this.consumer.maySend) return true;
    if (this.healthNow.circuit !== null && !this.isProbeDue) return true;
    return !this.mayHaveMore && nowMs - this.lastWorkAtMs >= (lingers ? LINGER_MS : 0);
  }

  /** Something is due after all, such as a probe that an operator asked for: the next fetch brings the consumer as it is now. */
  goOn(nowMs: number): void {
    this.isClosing = false;
    this.isOutdated = true;
    this.dueFrom.lookAtAll();
    this.lastWorkAtMs = nowMs;
  }

  nextSendInMs(nowMs: number): number | null {
    return this.consumer?.maxPerSecond == null ? null : (this.pace?.nextSendInMs(nowMs) ?? null);
  }

  /** Ends it for good: the job completes. */
  close(): void {
    this.end();
  }
}
