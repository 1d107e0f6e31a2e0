import type { LeavingSession } from '#libs/database';
import { Metrics } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { Leaving } from './leaving.js';
import { SessionStore } from './session-store.js';
import type { DeliverySession } from './session.js';

/**
 * A session without work stays open for this long, so that the consumer's next delivery needs no job: to open and end a
 * session takes 10 ms of processor time, to keep it open 0.25 ms a second with two polls a second, and it is polled once. `long` if the worker is informed of new
 * deliveries, and the consumer answers: what fails has a timer for its next retry.
 */
const LINGER_MS = { short: 3_000, long: 30_000 } as const;

/** The part of the worker's slots that open sessions may take while some of them have no work. */
const MOST_OPEN = 7 / 8;

/**
 * Ends sessions. One that goes to another worker ends at once: its requests in flight are held for it in PostgreSQL, and
 * it still records them. One without work is left first, and ends when no accept can rely on it any more (`Leaving`);
 * then a timer is set if the consumer has work later.
 */
@Injectable()
export class SessionEnd {
  constructor(
    @Inject(SessionStore) private readonly store: Pick<SessionStore, 'leave'>,
    @Inject(DispatchQueue) private readonly queue: Pick<DispatchQueue, 'addTimers' | 'addConsumers'>,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @param slots the worker's; each session has one. When too few are free, sessions without work end, the longest idle first
   * @param hintsArrive whether the worker is informed of new deliveries
   * @returns the sessions that have ended, and how many were left and will end
   */
  async endSessions(
    sessions: ReadonlySet<DeliverySession>,
    { slots, hintsArrive }: { readonly slots: number; readonly hintsArrive: boolean },
  ): Promise<{ readonly ended: readonly DeliverySession[]; readonly left: number }> {
    const nowMs = performance.now();
    const all = [...sessions];
    const over = all.filter(({ endReason }) => endReason !== null);
    const open = all.filter(({ endReason, leaving }) => endReason === null && leaving === null);
    const lingerMs = ({ health: { failures } }: DeliverySession): number =>
      hintsArrive && failures === 0 ? LINGER_MS.long : LINGER_MS.short;
    const idle = open.filter((session) => session.isIdle(nowMs, lingerMs(session)));
    const tooMany = open.length - idle.length - Math.floor(slots * MOST_OPEN);
    if (tooMany > 0) {
      const lingering = open.filter((session) => session.isIdle(nowMs, 0) && !idle.includes(session));
      idle.push(
        ...lingering.toSorted((one, other) => one.lastWorkAtMs - other.lastWorkAtMs).slice(0, tooMany),
      );
    }
    const decided = all
      .filter(({ endReason, leaving }) => endReason === null && leaving?.decided != null)
      .filter(({ inFlight }) => inFlight.size === 0);
    const toLeave = [
      ...over.flatMap((session) => leavingSession(session, nowMs, session.leave())),
      ...idle.flatMap((session) => leavingSession(session, nowMs, [])),
    ];
    if (toLeave.length > 0) await this.store.leave(toLeave);
    const leftAtMs = performance.now();
    // One may have got another reason while PostgreSQL answered.
    for (const session of idle) if (session.endReason === null) session.leaving = new Leaving(leftAtMs);
    this.addTimers(
      decided.flatMap(({ consumerId, leaving }) => {
        const inMs = leaving?.decided?.wakeInMs ?? null;
        return inMs === null ? [] : [{ consumerId, inMs }];
      }),
    );
    return { ended: [...over, ...decided], left: idle.length };
  }

  /** A request that was in flight when its session ended is recorded: the next status of its payment may be due. */
  recordedAfterwards(consumerId: string): void {
    void this.queue.addConsumers([consumerId]).catch(() => this.metrics.enqueueFailures.inc(1));
  }

  /** Not awaited: an unreachable queue must not delay fetches. Reconcile adds missing timers. */
  private addTimers(timers: readonly { readonly consumerId: string; readonly inMs: number }[]): void {
    if (timers.length > 0)
      void this.queue.addTimers(timers).catch(() => this.metrics.enqueueFailures.inc(timers.length));
  }
}

/** There is nothing to leave in a session that was not opened, or that another worker has replaced. */
const leavingSession = (
  session: DeliverySession,
  nowMs: number,
  sent: LeavingSession['sent'],
): LeavingSession[] =>
  session.number === null || session.endReason === 'fenced'
    ? []
    : [
        {
          consumerId: session.consumerId,
          session: session.number,
          nextSendInMs: session.nextSendInMs(nowMs),
          succeededMsAgo: session.lastSuccessAtMs === null ? null : nowMs - session.lastSuccessAtMs,
          sent,
        },
      ];
