import { HOLD_REASONS } from '#libs/contracts';
import {
  CertificatesRepository,
  QueueStateRepository,
  StatisticsRepository,
  WorkersRepository,
  type CertificateInUse,
  type ConsumerFacts,
  type StandingCount,
} from '#libs/database';
import { troubleOf, WATCH_BEFORE_MS, WORKER_GONE_AFTER_MS, worstFirst } from '#libs/policy';
import { DispatchQueue } from '#libs/queue';
import { Injectable } from '@nestjs/common';
import { askAgreement, type BothCounts } from './agreement.js';
import type { ConsumerTroubleDto, QueueDto, QueueRatesDto, QueueStateDto } from './queue.dto.js';

const QUEUE_ANSWERS_WITHIN_MS = 2_000;
const RATE_MINUTES = 5;
const MINUTE_MS = 60_000;
const UNROUTED_DAYS = 90;
const MOST_TROUBLES = 100;
/** However many look, PostgreSQL is asked no more often. */
const FRESH_MS = 2_000;

/** How the dispatcher is, at a glance. */
@Injectable()
export class QueueReadingService {
  private latest: { readonly answer: Promise<QueueDto>; readonly until: number } | undefined;

  constructor(
    private readonly state: QueueStateRepository,
    private readonly statistics: StatisticsRepository,
    private readonly workers: WorkersRepository,
    private readonly queue: DispatchQueue,
    private readonly certificates: CertificatesRepository,
  ) {}

  read(): Promise<QueueDto> {
    if (this.latest === undefined || this.latest.until < Date.now()) {
      const answer = this.ask(new Date());
      this.latest = { answer, until: Date.now() + FRESH_MS };
      // A fault is told to those who have asked, and not kept.
      answer.catch(() => (this.latest = undefined));
    }
    return this.latest.answer;
  }

  private async ask(now: Date): Promise<QueueDto> {
    const since = new Date(now.getTime() - UNROUTED_DAYS * 86_400_000);
    const [sending, standings, rates, workers, unrouted] = await Promise.all([
      this.state.sending(),
      this.state.standings(),
      this.rates(now),
      this.workers.seenWithin(WORKER_GONE_AFTER_MS),
      this.state.unrouted(since),
    ]);
    const [trouble, agreement] = await Promise.all([
      this.trouble(now, sending.paused_at !== null),
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
      states: STANDINGS.map((standing) => stateView(standing, standings, now)),
      rates,
      workers: workers.map((worker) => ({
        workerId: worker.id,
        host: worker.host,
        pid: worker.pid,
        startedAt: worker.started_at.toISOString(),
        lastSeenAt: worker.seen_at.toISOString(),
        concurrency: worker.concurrency,
        sending: worker.sending.length,
        sessions: worker.sessions.length,
      })),
      trouble,
      unrouted: { count: unrouted.count, countIsCapped: unrouted.isCapped, since: since.toISOString() },
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
      deliveredPerMinute: perMinute(row?.delivered),
      failedPerMinute: perMinute(row?.failed_attempts),
      attemptsPerMinute: perMinute(row?.attempts),
      successRate:
        row === undefined || row.attempts === 0 ? null : (row.attempts - row.failed_attempts) / row.attempts,
    };
  }

  private async trouble(now: Date, allPaused: boolean): Promise<ConsumerTroubleDto[]> {
    const [consumers, ending] = await Promise.all([
      this.state.consumers(),
      this.certificates.endingBefore(new Date(now.getTime() + WATCH_BEFORE_MS)),
    ]);
    // Of several the first to end stands: they come in that order.
    const firstToEnd = new Map(ending.toReversed().map((one) => [one.consumerId, one]));
    const troubled = consumers
      .flatMap((consumer) => {
        const trouble = troubleOf(conditionOf(consumer, firstToEnd.get(consumer.id), allPaused), now);
        return trouble === null ? [] : [{ consumer, trouble }];
      })
      .toSorted((one, other) => worstFirst(one.trouble, other.trouble))
      .slice(0, MOST_TROUBLES);
    const backlogs = await this.state.backlogs(troubled.map(({ consumer }) => consumer.id));
    return troubled.map(({ consumer, trouble }) => ({
      consumerId: consumer.id,
      name: consumer.name,
      contact: consumer.contact,
      kind: trouble.kind,
      since: trouble.since.toISOString(),
      why: trouble.why,
      backlog: backlogs.get(consumer.id)?.count ?? 0,
      backlogIsCapped: backlogs.get(consumer.id)?.isCapped ?? false,
      oldestDueAt: consumer.oldest_due_at?.toISOString() ?? null,
      advice: trouble.advice,
    }));
  }
}

/** Always all of them, in this order. */
const STANDINGS: readonly Pick<StandingCount, 'state' | 'holdReason'>[] = [
  { state: 'queued', holdReason: null },
  { state: 'sending', holdReason: null },
  ...HOLD_REASONS.map((holdReason) => ({ state: 'held' as const, holdReason })),
];

function stateView(
  { state, holdReason }: Pick<StandingCount, 'state' | 'holdReason'>,
  counted: readonly StandingCount[],
  now: Date,
): QueueStateDto {
  const found = counted.find((one) => one.state === state && one.holdReason === holdReason);
  const oldestAt = found?.oldestAt ?? null;
  return {
    state,
    holdReason,
    count: found?.count ?? 0,
    // When not all were looked at, there may be some of any standing among the others.
    countIsCapped: counted.some(({ isCapped }) => isCapped),
    oldestDueAt: oldestAt?.toISOString() ?? null,
    oldestAgeSeconds: oldestAt === null ? null : Math.max(0, (now.getTime() - oldestAt.getTime()) / 1_000),
  };
}

const conditionOf = (
  consumer: ConsumerFacts,
  firstToEnd: CertificateInUse | undefined,
  allPaused: boolean,
) => ({
  secretFault:
    consumer.secret_fault === null || consumer.secret_fault_at === null
      ? null
      : { words: consumer.secret_fault, since: consumer.secret_fault_at },
  circuitOpenedAt: consumer.circuit_opened_at,
  failures: consumer.failures,
  firstFailureAt: consumer.first_failure_at,
  paused:
    consumer.paused_at === null
      ? null
      : {
          since: consumer.paused_at,
          reason: consumer.pause_reason,
          byAnswer: consumer.paused_by_answer,
        },
  oldestDueAt: consumer.oldest_due_at,
  firstToExpire:
    firstToEnd === undefined
      ? null
      : { use: firstToEnd.use, notAfter: new Date(firstToEnd.certificate.notAfter) },
  allPaused,
});
