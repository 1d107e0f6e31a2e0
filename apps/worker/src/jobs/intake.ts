import { LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { FetchLoop } from '../session/fetch-loop.js';
import { SessionStore } from '../session/session-store.js';
import { Sessions } from '../session/sessions.service.js';
import { StallWatch } from '../session/stall-watch.js';

const LOOK_EVERY_MS = 500;
/** PostgreSQL is asked when no fetch was answered for this long. */
const PING_AFTER_MS = 1_000;
/** As long as a pool waits for a connection, so that a busy server does not count as one that does not answer. */
const ANSWER_WITHIN_MS = 3_000;
/** Without an answer for this long the worker takes no jobs. */
const SILENT_AFTER_MS = 4_000;
/** PostgreSQL answers for this long before the worker takes jobs again: every worker records first what it has sent. */
const RESUME_AFTER_MS = 1_500;

/** The part of BullMQ's worker that takes jobs. */
export interface JobIntake {
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
  isRunning(): boolean;
}

/** How fetches are answered. Times are `performance.now()`. */
export interface FetchAnswers {
  readonly answeredAtMs: number;
  readonly askingSinceMs: number | null;
}

export interface HeldSessions {
  takeJobs(takesJobs: boolean): void;
  endUnconfirmed(nowMs: number, isSilent: boolean): void;
}

/**
 * Takes jobs only while PostgreSQL answers this worker: one that is cut off from PostgreSQL alone would keep its
 * consumers from the other workers. Sessions that PostgreSQL has not confirmed for as long as a lock lasts end.
 */
@Injectable()
export class Intake {
  private worker: JobIntake | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pingedAtMs = performance.now();
  private isPinging = false;
  private isPaused = false;
  private answersSinceMs: number | null = null;

  constructor(
    @Inject(SessionStore) private readonly store: Pick<SessionStore, 'ping'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(FetchLoop) private readonly loop: FetchAnswers,
    @Inject(Sessions) private readonly sessions: HeldSessions,
    @Inject(StallWatch) private readonly stalls: Pick<StallWatch, 'stalledSince'>,
  ) {}

  start(worker: JobIntake): void {
    this.worker = worker;
    this.pingedAtMs = performance.now();
    this.timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** Takes no jobs any more. Sessions that PostgreSQL does not confirm still end, until `stop`. */
  close(): void {
    this.worker = undefined;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** How long PostgreSQL has not answered on the connections that fetch and record. */
  silentMs(nowMs: number): number {
    const { answeredAtMs, askingSinceMs } = this.loop;
    // Other connections may answer while the one of the fetch does not, and then nothing is fetched either.
    if (askingSinceMs !== null && nowMs - askingSinceMs > SILENT_AFTER_MS) return nowMs - askingSinceMs;
    return nowMs - Math.max(answeredAtMs, this.pingedAtMs);
  }

  /** Whether the worker takes no jobs because PostgreSQL does not answer. */
  isSilent(nowMs: number): boolean {
    return this.isPaused || this.silentMs(nowMs) > SILENT_AFTER_MS;
  }

  private look(nowMs: number): void {
    if (this.silentMs(nowMs) > PING_AFTER_MS) void this.ping();
    // After a suspension the answers that arrived meanwhile are read first.
    if (this.stalls.stalledSince(nowMs - LOOK_EVERY_MS)) return;
    const isSilent = this.silentMs(nowMs) > SILENT_AFTER_MS;
    if (isSilent) this.answersSinceMs = null;
    else this.answersSinceMs ??= nowMs;
    if (isSilent && !this.isPaused) this.pause(nowMs);
    if (this.isPaused && this.answersSinceMs !== null && nowMs - this.answersSinceMs >= RESUME_AFTER_MS)
      this.resume();
    this.sessions.endUnconfirmed(nowMs, isSilent);
  }

  private pause(nowMs: number): void {
    this.isPaused = true;
    this.sessions.takeJobs(false);
    void this.worker?.pause(true);
    this.logger.error({ silentMs: Math.round(this.silentMs(nowMs)) }, 'worker.paused_without_postgres');
  }

  private resume(): void {
    this.isPaused = false;
    this.sessions.takeJobs(true);
    void this.worker?.resume();
    this.logger.warn({}, 'worker.resumed');
  }

  private async ping(): Promise<void> {
    if (this.isPinging) return;
    this.isPinging = true;
    try {
      await this.store.ping(ANSWER_WITHIN_MS);
      this.pingedAtMs = performance.now();
    } catch {
      // The next look pings again.
    } finally {
      this.isPinging = false;
    }
  }
}
