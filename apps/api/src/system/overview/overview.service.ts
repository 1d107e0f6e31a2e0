import { HOLD_REASONS } from '#libs/contracts';
import {
  ConsumerHealths,
  QueueStateRepository,
  StatisticsRepository,
  WorkersRepository,
  type PendingStateCount,
  type WorkerRow,
} from '#libs/database';
import { WORKER_GONE_AFTER_MS } from '#libs/policy';
import { DispatchQueue } from '#libs/queue';
import { Injectable } from '@nestjs/common';
import { askAgreement, type BothCounts } from './agreement.js';
import { consumersInTotal } from './consumers-in-total.js';
import type { OverviewDto, QueueRatesDto, QueueStateDto, QueueWorkerDto } from './overview.dto.js';

const QUEUE_ANSWERS_WITHIN_MS = 2_000;
const RATE_MINUTES = 5;
const MINUTE_MS = 60_000;
const MISSING_FOR_MS = 60 * MINUTE_MS;
const UNROUTED_DAYS = 90;
/** PostgreSQL is queried at most this often, for any number of viewers. */
const FRESH_MS = 2_000;

/** Reads the state of the dispatcher for the overview and for metrics. */
@Injectable()
export class OverviewService {
  private latest: { readonly answer: Promise<OverviewDto>; readonly until: number } | undefined;

  constructor(
    private readonly state: QueueStateRepository,
    private readonly statistics: StatisticsRepository,
    private readonly workers: WorkersRepository,
    private readonly queue: DispatchQueue,
    private readonly healths: ConsumerHealths,
  ) {}

  read(): Promise<OverviewDto> {
    if (this.latest === undefined || this.latest.until < Date.now()) {
      const answer = this.ask(new Date());
      this.latest = { answer, until: Date.now() + FRESH_MS };
      // A failed reading is not cached.
      answer.catch(() => (this.latest = undefined));
    }
    return this.latest.answer;
  }

  private async ask(now: Date): Promise<OverviewDto> {
    const since = new Date(now.getTime() - UNROUTED_DAYS * 86_400_000);
    const [sending, pendingStates, rates, workers, missing, unrouted] = await Promise.all([
      this.state.sending(),
      this.state.pendingStates(),
      this.rates(now),
      this.workers.seenWithin(WORKER_GONE_AFTER_MS),
      this.workers.missingSince(MISSING_FOR_MS, WORKER_GONE_AFTER_MS),
      this.state.unrouted(since),
    ]);
    const [consumers, agreement] = await Promise.all([
      this.healths.of(),
      askAgreement(() => this.bothCounts()),
    ]);
    return {
      asOf: now.toISOString(),
      sending: {
        state: sending.paused_at === null ? 'active' : 'paused',
        pausedAt: sending.paused_at?.toISOString() ?? null,
        pauseReason: sending.pause_reason,
        pausedBy: sending.paused_by,
      },
      states: PENDING_STATES.map((pendingState) => stateView(pendingState, pendingStates, now)),
      rates,
      workers: workers.map(workerView),
      missingWorkers: missing.map(workerView),
      ...consumersInTotal(consumers),
      unrouted: {
        count: unrouted.count,
        countIsCapped: unrouted.isCapped,
        seenUntil: unrouted.seenUntil?.toISOString() ?? null,
        until: unrouted.until.toISOString(),
      },
      agreement,
    };
  }

  private async bothCounts(): Promise<BothCounts> {
    const [queue, overdueConsumers] = await Promise.all([
      this.queue.counts(QUEUE_ANSWERS_WITHIN_MS).catch(() => null),
      this.state.overdueConsumers(),
    ]);
    return { queue, overdueConsumers };
  }

  private async rates(now: Date): Promise<QueueRatesDto> {
    const from = new Date((Math.floor(now.getTime() / MINUTE_MS) - RATE_MINUTES + 1) * MINUTE_MS);
    const stepSeconds = RATE_MINUTES * 60;
    const [row] = await this.statistics.steps({
      from,
      to: new Date(from.getTime() + stepSeconds * 1_000),
      stepSeconds,
    });
    const minutes = (now.getTime() - from.getTime()) / MINUTE_MS;
    const perMinute = (count: number | undefined): number => Math.round(((count ?? 0) / minutes) * 10) / 10;
    return {
      acceptedPerMinute: perMinute(row?.accepted),
      failedPerMinute: perMinute(row?.failed_attempts),
    };
  }
}

const workerView = (worker: WorkerRow): QueueWorkerDto => ({
  workerId: worker.id,
  host: worker.host,
  pid: worker.pid,
  startedAt: worker.started_at.toISOString(),
  lastSeenAt: worker.seen_at.toISOString(),
  concurrency: worker.concurrency,
  sending: worker.sending.length,
  sessions: worker.sessions.length,
});

/** All of these are always returned, in this order. */
const PENDING_STATES: readonly Pick<PendingStateCount, 'state' | 'holdReason'>[] = [
  { state: 'queued', holdReason: null },
  { state: 'sending', holdReason: null },
  ...HOLD_REASONS.map((holdReason) => ({ state: 'held' as const, holdReason })),
];

function stateView(
  { state, holdReason }: Pick<PendingStateCount, 'state' | 'holdReason'>,
  counted: readonly PendingStateCount[],
  now: Date,
): QueueStateDto {
  const found = counted.find((one) => one.state === state && one.holdReason === holdReason);
  const oldestAt = found?.oldestAt ?? null;
  return {
    state,
    holdReason,
    count: found?.count ?? 0,
    // If the limit was reached, the remaining deliveries can be in any state.
    countIsCapped: counted.some(({ isCapped }) => isCapped),
    oldestDueAt: oldestAt?.toISOString() ?? null,
    oldestAgeSeconds: oldestAt === null ? null : Math.max(0, (now.getTime() - oldestAt.getTime()) / 1_000),
  };
}
