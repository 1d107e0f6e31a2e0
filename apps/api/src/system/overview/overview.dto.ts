import type {
  Amount,
  Count,
  HealthState,
  HoldReason,
  Instant,
  Integer,
  Ordinal,
  PendingState,
  Share,
  Uuid,
} from '#libs/contracts';
import type {
  BacklogDto,
  ConsumerHealthDto,
  OpenDeadDto,
} from '../../resources/consumers/health/consumer-health.dto.js';
import { SendingDto } from '../../resources/sending/sending.dto.js';

/** Whether sending is paused, and why. */
export class SendingReasonDto extends SendingDto {
  pauseReason!: string | null;
  /** Name of the API key or person that paused it. */
  pausedBy!: string | null;
}

/** Pending deliveries in one state; held ones by reason. */
export class QueueStateDto {
  state!: PendingState;
  /** Null unless `state` is `held`. */
  holdReason!: HoldReason | null;
  count!: Count;
  /** True: there can be more than `count`, since at most 100,000 pending deliveries are counted. */
  countIsCapped!: boolean;
  /**
   * Due time of the most overdue delivery (`queued`), or the beginning of the longest hold (`held`). Null without
   * such a delivery, and for `sending`.
   */
  oldestDueAt!: Instant | null;
  oldestAgeSeconds!: Amount | null;
}

/** Rates per minute, from the current minute and the four before it. */
export class QueueRatesDto {
  /** Accepted events. */
  acceptedPerMinute!: Amount;
  /** Failed attempts. */
  failedPerMinute!: Amount;
}

/** A worker process. */
export class QueueWorkerDto {
  workerId!: Uuid;
  host!: string;
  pid!: Integer;
  startedAt!: Instant;
  lastSeenAt!: Instant;
  /** Maximum number of deliveries in flight. */
  concurrency!: Ordinal;
  /** Deliveries in flight at the last heartbeat. */
  sending!: Count;
  /** Consumers that it served at the last heartbeat. */
  sessions!: Count;
}

/** A consumer that needs attention. */
export class ConsumerTroubleDto {
  consumerId!: Uuid;
  name!: string;
  contact!: string | null;
  /** When its pause ends automatically; null: it is not paused, or until an operator resumes it. */
  pausedUntil!: Instant | null;
  health!: ConsumerHealthDto;
}

/** Number of consumers in one state of health. */
export class ConsumersInStateDto {
  state!: HealthState;
  count!: Count;
}

/** The most important figures. */
export class QueueFiguresDto {
  /** Number of scheduled, sending and held deliveries, exact. */
  waiting!: Count;
  /** Due time of the most overdue delivery, except those of paused consumers. */
  oldestDueAt!: Instant | null;
  /** Dead deliveries that are not settled. */
  dead!: OpenDeadDto;
  /** Number of consumers. */
  consumers!: Count;
  /**
   * Consumers at which everything arrives: they are not down or paused, have readable credentials, fewer than 3
   * consecutive failures, and no dead delivery that is not settled.
   */
  consumersReceivingAll!: Count;
  /** Share of acknowledged attempts to these consumers in the last 15 minutes; null without attempts. */
  successShare!: Share | null;
  consumersDown!: Count;
}

/** Unrouted events of the last 90 days that are not marked as seen. */
export class UnroutedDto {
  count!: Count;
  countIsCapped!: boolean;
  /** Older ones are marked as seen; null: none are. */
  seenUntil!: Instant | null;
  /** End of the counted period, exclusive: what `POST /v1/events/unrouted/seen` takes to mark these as seen. */
  until!: Instant;
}

/** Jobs in the queue. A consumer with work has one job, for any number of deliveries. */
export class QueueJobsDto {
  /** Jobs that no worker has claimed yet. */
  waiting!: Count;
  /** Jobs of a worker that delivers to the consumer. */
  active!: Count;
  /** Timers of consumers that have work later. */
  delayed!: Count;
}

/** Consumers that need a job, according to PostgreSQL. */
export class JobsWantedDto {
  /** Number of consumers with work that has been due for five seconds, and that no worker reports to serve. */
  overdueConsumers!: Count;
}

/** Whether the queue has enough jobs for all consumers that need one; numbers are compared, not single jobs. */
export class QueueAgreementDto {
  /** False if consumers with overdue deliveries lack a job. Null if the queue did not answer. */
  agrees!: boolean | null;
  /** The result as a sentence. */
  detail!: string;
  /** Null if the queue did not answer. */
  queue!: QueueJobsDto | null;
  database!: JobsWantedDto;
}

/** The state of the dispatcher. */
export class OverviewDto {
  asOf!: Instant;
  sending!: SendingReasonDto;
  /** `queued`, `sending`, and `held` with each reason; always all of them. */
  states!: QueueStateDto[];
  rates!: QueueRatesDto;
  /** Workers with a heartbeat in the last 6 s. */
  /** Live worker processes. */
  workers!: QueueWorkerDto[];
  /**
   * Workers whose heartbeats ended in the last hour without a stop: each was killed, is suspended, or cannot reach PostgreSQL.
   * The live workers have its consumers.
   */
  missingWorkers!: QueueWorkerDto[];
  figures!: QueueFiguresDto;
  /** Backlog of all consumers together. */
  backlog!: BacklogDto;
  /** Every state of health, the worst first. */
  consumers!: ConsumersInStateDto[];
  /**
   * Consumers that are not healthy, have dead deliveries that are not settled, or certificates that expire soon. The
   * worst first, planned pauses last; at most 100.
   */
  trouble!: ConsumerTroubleDto[];
  /** Number of all such consumers. */
  troubleTotal!: Count;
  unrouted!: UnroutedDto;
  agreement!: QueueAgreementDto;
}
