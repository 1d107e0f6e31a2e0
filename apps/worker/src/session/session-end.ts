import type { Closed, EndingSession } from '#libs/database';
import { Metrics } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import { SessionStore } from './session-store.js';
import type { DeliverySession } from './session.js';

export interface SessionRows {
  /** Closes sessions unless a delivery is due. @returns one result per session, in order */
  close(sessions: readonly EndingSession[]): Promise<readonly Closed[]>;
}

export interface Timers {
  addTimers(timers: readonly { readonly consumerId: string; readonly inMs: number }[]): Promise<void>;
}

/** Ends sessions without work, and sets a timer for each consumer that has work later. */
@Injectable()
export class SessionEnd {
  constructor(
    @Inject(SessionStore) private readonly rows: SessionRows,
    @Inject(DispatchQueue) private readonly queue: Timers,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @param linger sessions stay open for a while after their last delivery
   * @returns the sessions that have ended
   */
  async endIdle(
    sessions: ReadonlySet<DeliverySession>,
    { linger }: { readonly linger: boolean },
  ): Promise<readonly DeliverySession[]> {
    const nowMs = performance.now();
    const ending = [...sessions].filter((session) => session.shouldEnd(nowMs, linger));
    const opened = ending.flatMap((session) =>
      session.number === null ? [] : [{ session, number: session.number }],
    );
    if (opened.length === 0) return ending;
    for (const { session } of opened) session.isClosing = true;
    const results = await this.rows
      .close(
        opened.map(({ session, number }) => ({
          consumerId: session.consumerId,
          session: number,
          nextSendInMs: session.nextSendInMs(nowMs),
          succeededMsAgo: session.lastSuccessAtMs === null ? null : nowMs - session.lastSuccessAtMs,
        })),
      )
      .catch((error: unknown) => {
        for (const { session } of opened) session.isClosing = false;
        throw error;
      });
    const timers: { consumerId: string; inMs: number }[] = [];
    const staying = new Set<DeliverySession>();
    for (const [index, { session }] of opened.entries()) {
      const result = results[index];
      if (result?.kind === 'stays' && session.endReason === null) {
        session.keepOpen(nowMs);
        staying.add(session);
      } else if (result?.kind === 'closed' && result.wakeInMs !== null)
        timers.push({ consumerId: session.consumerId, inMs: result.wakeInMs });
    }
    // Not awaited: an unreachable queue must not delay fetches. Reconcile adds missing timers.
    if (timers.length > 0)
      void this.queue.addTimers(timers).catch(() => this.metrics.enqueueFailures.inc(timers.length));
    return ending.filter((session) => !staying.has(session));
  }
}
