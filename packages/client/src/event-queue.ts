import type { DispatcherClient } from './create-client.js';
import type { Refusal } from './errors.js';
import type { PendingEvent } from './pending-event.js';
import { ENCLOSING_BYTES, postBatch, type ItemResult } from './post-batch.js';
import { retryDelayMs } from './retry-delay.js';

export interface QueueLimits {
  /** How long an event waits for others that share its request, in ms. 2 by default. */
  readonly lingerMs: number;
  /** For one request, in ms. 10,000 by default. */
  readonly timeoutMs: number;
  /** From the call of `post` to its result, with all tries, in ms. 60,000 by default. */
  readonly deadlineMs: number;
}

/** The api's limits of a batch (docs/contract.md, "Errors"). */
const MAX_EVENTS = 500;
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Whether a request was refused because of its body, so that one of its events can be the reason. The api names the
 * request in its refusals; a 400 that does not is of a proxy, e.g. for http on its port for https. A proxy may have a
 * limit for bodies, too.
 */
const isOfBody = ({ status, requestId }: Pick<Refusal, 'status' | 'requestId'>): boolean =>
  status === 413 || ((status === 400 || status === 422) && requestId !== null);

/** Ends a batch, and every event behind it, without an answer about them. */
type Stop =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unavailable'; readonly cause: Error };

/**
 * Sends events in the order in which they were added, one request at a time. The dispatcher delivers the statuses of a
 * payment in the order in which it accepts them, and two requests at the same time may arrive in either order. For the
 * same reason, when a request fails for good, all waiting events fail with it: none overtakes an earlier one that the
 * caller will post again.
 */
export class EventQueue {
  private waiting: PendingEvent[] = [];
  private inFlight: readonly PendingEvent[] = [];
  private isSending = false;
  private linger: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: DispatcherClient,
    private readonly limits: QueueLimits,
  ) {}

  add(event: PendingEvent): void {
    this.waiting.push(event);
    // While a request is in flight, its end sends the waiting events.
    if (this.isSending) return;
    if (this.waiting.length >= MAX_EVENTS) this.start();
    else this.linger ??= setTimeout(() => this.start(), this.limits.lingerMs);
  }

  async flush(): Promise<void> {
    this.start();
    await Promise.allSettled([...this.inFlight, ...this.waiting].map(({ result }) => result));
  }

  private start(): void {
    clearTimeout(this.linger);
    this.linger = undefined;
    if (!this.isSending) void this.sendAll();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    for (let batch = this.next(); batch.length > 0; batch = this.next()) {
      this.inFlight = batch;
      const stop = await this.settle(batch);
      if (stop !== null) for (const event of [...batch, ...this.waiting.splice(0)]) end(event, stop);
    }
    this.inFlight = [];
    this.isSending = false;
  }

  /** Removes the next batch from the waiting events. An event that is too large for any batch is sent alone. */
  private next(): PendingEvent[] {
    this.waiting = this.waiting.filter(({ isSettled }) => !isSettled);
    let bytes = ENCLOSING_BYTES;
    let count = 0;
    for (const event of this.waiting.slice(0, MAX_EVENTS)) {
      bytes += event.bytes + 1;
      if (bytes > MAX_BODY_BYTES && count > 0) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /**
   * Posts a batch until each of its events has a result.
   * @returns null, or why the events without a result cannot get one
   */
  private async settle(batch: readonly PendingEvent[]): Promise<Stop | null> {
    const [oldest] = batch;
    if (oldest === undefined) return null;
    const deadlineAtMs = oldest.postedAtMs + this.limits.deadlineMs;
    for (let failures = 1; ; failures += 1) {
      // Callers may have ended their wait since the last try.
      const events = batch.filter(({ isSettled }) => !isSettled);
      if (events.length === 0) return null;
      const timeoutMs = Math.min(this.limits.timeoutMs, Math.max(1, deadlineAtMs - Date.now()));
      const outcome = await postBatch(this.client, events, timeoutMs);
      switch (outcome.kind) {
        case 'answered':
          for (const [index, event] of events.entries()) settleOne(event, outcome.results[index]);
          return null;
        case 'refused':
          return this.afterRefusal(events, outcome.refusal);
        case 'undecided': {
          const waitMs = outcome.retryAfterMs + retryDelayMs(failures);
          if (Date.now() + waitMs >= deadlineAtMs) return { kind: 'unavailable', cause: outcome.cause };
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
    }
  }

  /** Halves a batch whose body was refused until the event at fault is alone: only that one is refused. */
  private async afterRefusal(
    events: readonly PendingEvent[],
    refusal: Omit<Refusal, 'scope'>,
  ): Promise<Stop | null> {
    if (!isOfBody(refusal)) return { kind: 'refused', refusal: { ...refusal, scope: 'request' } };
    if (events.length === 1) {
      events[0]?.refuse({ ...refusal, scope: 'event' });
      return null;
    }
    const half = Math.ceil(events.length / 2);
    return (await this.settle(events.slice(0, half))) ?? this.settle(events.slice(half));
  }
}

function settleOne(event: PendingEvent, result: ItemResult | undefined): void {
  if (result?.status === 'accepted' && result.notificationId !== undefined)
    event.accept({ notificationId: result.notificationId, duplicate: result.duplicate ?? false });
  else
    event.refuse({
      scope: 'event',
      status: 202,
      detail: 'The dispatcher rejected this event of the batch.',
      errors: result?.errors ?? [],
      requestId: null,
    });
}

/** Only events without a result take it. */
function end(event: PendingEvent, stop: Stop): void {
  switch (stop.kind) {
    case 'refused':
      return event.refuse(stop.refusal);
    case 'unavailable':
      return event.giveUp(
        `The dispatcher did not decide about the event in time: ${stop.cause.message}`,
        stop.cause,
      );
  }
}
