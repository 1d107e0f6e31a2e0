import {
  consumerHealth,
  HEALTH_WINDOW_MS,
  isFailing,
  isStreak,
  LATELY_MS,
  WATCH_BEFORE_MS,
  WORKER_GONE_AFTER_MS,
  type ConsumerHealth,
  type HealthFacts,
} from '#libs/policy';
import type { CertificatesRepository } from '../consumers/certificates.repository.js';
import { keptUntil, CachedAnswer } from './cached-answer.js';
import type { ActivityRow, ConditionRow, ConsumerHealthRepository } from './consumer-health.repository.js';
import type { QueueStateRepository } from './queue-state.repository.js';
import type { WorkersRepository } from './workers.repository.js';

/** Maximum number of consumers whose failures one statement reads, with up to 1,000 rows per consumer. */
const CAUSES_AT_ONCE = 100;

/** A consumer that is not removed, with its health. */
export interface JudgedConsumer {
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  /** When its pause ends automatically. */
  readonly pausedUntil: Date | null;
  readonly health: ConsumerHealth;
  /** The circuit from which `health` was derived, so that no screen shows “down” with a closed circuit. */
  readonly circuit: Pick<ConditionRow, 'circuit_opened_at' | 'failed_probes' | 'next_probe_at'>;
  /** Attempts of the last 15 minutes, and how many of them failed. */
  readonly attempts: number;
  readonly failedAttempts: number;
}

interface Causes extends Pick<HealthFacts, 'causes' | 'failingSince'> {
  readonly ofStreak: boolean;
  readonly until: number;
}

/** Repositories of the facts. */
interface Sources {
  readonly repository: ConsumerHealthRepository;
  readonly certificates: CertificatesRepository;
  readonly queue: QueueStateRepository;
  readonly workers: WorkersRepository;
}

/** Health of consumers for screens, metrics and issues: `consumerHealth` derives it from facts in PostgreSQL. */
export class ConsumerHealths {
  /** Facts about all consumers, cached for all requests. */
  private readonly common = new CachedAnswer(() => this.askCommon());
  private readonly waiting: CachedAnswer<Map<string, number>>;
  private readonly causes = new Map<string, Causes>();
  private causesAgainAt = 0;

  /** @param isServerDown whether PostgreSQL or the queue does not answer, so that no consumer is late by its own fault */
  constructor(
    private readonly sources: Sources,
    private readonly isServerDown: () => boolean,
  ) {
    this.waiting = new CachedAnswer(() => sources.repository.waiting());
  }

  /** Returns the health of these consumers, or of all. */
  async of(ids?: readonly string[]): Promise<JudgedConsumer[]> {
    const [conditions, common, waiting] = await Promise.all([
      this.sources.repository.conditions(ids),
      this.common.get(),
      this.waiting.get(),
    ]);
    const facts = conditions.map((condition) => ({
      condition,
      facts: factsOf(condition, common, waiting.get(condition.id) ?? 0),
    }));
    await this.addCauses(facts.filter(({ condition, facts: of }) => isFailing(of, condition.as_of)));
    return facts.map(({ condition: { id, name, contact, as_of, ...condition }, facts: of }) => {
      const { circuit_opened_at, failed_probes, next_probe_at } = condition;
      const { causes = [], failingSince = null } = this.causes.get(id) ?? {};
      const { attempts, failedAttempts } = of;
      return {
        id,
        name,
        contact,
        pausedUntil: condition.paused_until,
        health: consumerHealth({ ...of, causes, failingSince }, as_of),
        circuit: { circuit_opened_at, failed_probes, next_probe_at },
        attempts,
        failedAttempts,
      };
    });
  }

  /**
   * Reads unknown or outdated causes: for a limited number of consumers per call, and for at most a twentieth of the
   * time, except for a single consumer, which costs little. The other consumers keep their known causes.
   */
  private async addCauses(
    failing: readonly { condition: ConditionRow; facts: HealthFacts }[],
  ): Promise<void> {
    const askedAt = performance.now();
    if (failing.length > 1 && askedAt < this.causesAgainAt) return;
    const wanted = failing
      .map(({ condition: { id }, facts }) => {
        const ofStreak = isStreak(facts);
        const known = this.causes.get(id);
        const until = known?.ofStreak === ofStreak ? known.until : 0;
        return { id, ofStreak, until, failures: ofStreak ? facts.failures : facts.failedAttempts };
      })
      .filter(({ until }) => until <= askedAt)
      .toSorted((one, other) => one.until - other.until)
      .slice(0, CAUSES_AT_ONCE);
    if (wanted.length === 0) return;
    const found = Map.groupBy(await this.sources.repository.causes(wanted), (row) => row.consumer_id);
    const until = keptUntil(askedAt, performance.now());
    this.causesAgainAt = until;
    for (const { id, ofStreak } of wanted) {
      const rows = found.get(id) ?? [];
      this.causes.set(id, {
        ofStreak,
        until,
        failingSince: rows[0]?.failing_since ?? null,
        causes: rows.map(({ outcome, http_status, count, detail, clock_skew_ms }) => ({
          outcome,
          httpStatus: http_status,
          count,
          detail,
          clockSkewMs: clock_skew_ms,
        })),
      });
    }
  }

  private async askCommon() {
    const [activity, dead, certificates, sending, workers] = await Promise.all([
      this.sources.repository.activity(HEALTH_WINDOW_MS, LATELY_MS),
      this.sources.repository.dead(),
      this.sources.certificates.endingWithin(WATCH_BEFORE_MS),
      this.sources.queue.sending(),
      this.sources.workers.seenWithin(WORKER_GONE_AFTER_MS),
    ]);
    return {
      activity: new Map(activity.map((row) => [row.consumer_id, row])),
      dead: new Map(dead.map((row) => [row.consumer_id, row])),
      certificates: Map.groupBy(certificates, ({ consumerId }) => consumerId),
      isSendingStopped: sending.paused_at !== null || workers.length === 0 || this.isServerDown(),
    };
  }
}

type Common = Awaited<ReturnType<ConsumerHealths['askCommon']>>;

const IDLE: Omit<ActivityRow, 'consumer_id'> = {
  minutes: 1,
  accepted: 0,
  finished: 0,
  recovered_at: null,
  sending_minutes: 1,
  failed_lately: 0,
  attempts: 0,
  failed_attempts: 0,
  died_lately: 0,
  succeeded_at: null,
};

function factsOf(row: ConditionRow, common: Common, waiting: number): HealthFacts {
  const activity = common.activity.get(row.id) ?? IDLE;
  const { minutes, accepted, finished, recovered_at, sending_minutes } = activity;
  const { failed_lately, attempts, failed_attempts, died_lately, succeeded_at } = activity;
  const dead = common.dead.get(row.id);
  const perMinute = (count: number, of: number): number => Math.round((count / of) * 10) / 10;
  return {
    secretFault:
      row.secret_fault === null || row.secret_fault_at === null
        ? null
        : { words: row.secret_fault, since: row.secret_fault_at },
    paused:
      row.paused_at === null
        ? null
        : { since: row.paused_at, reason: row.pause_reason, byAnswer: row.paused_by_answer },
    circuitOpenedAt: row.circuit_opened_at,
    failedProbes: row.failed_probes,
    failures: row.failures,
    firstFailureAt: row.first_failure_at,
    lastSuccessAt: later(row.last_success_at, succeeded_at),
    attempts,
    failedAttempts: failed_attempts,
    failedLately: failed_lately,
    diedLately: died_lately,
    failingSince: null,
    causes: [],
    oldestFailedAt: row.oldest_failed_at,
    waiting,
    oldestDueAt: row.oldest_due_at,
    inPerMinute: perMinute(accepted, minutes),
    outPerMinute: perMinute(finished, recovered_at === null ? minutes : Math.min(minutes, sending_minutes)),
    recoveredAt: recovered_at,
    dead: { count: dead?.count ?? 0, oldestAt: dead?.oldest_at ?? null },
    certificates: (common.certificates.get(row.id) ?? []).map(({ use, certificate }) => ({
      use,
      notAfter: new Date(certificate.notAfter),
    })),
    isSendingStopped: common.isSendingStopped,
  };
}

const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? (one ?? other) : one > other ? one : other;
