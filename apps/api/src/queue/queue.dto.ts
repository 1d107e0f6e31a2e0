import {
  HEALTH_STATES,
  HOLD_REASONS,
  PENDING_STATES,
  type HealthState,
  type HoldReason,
  type PendingState,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { BacklogDto, ConsumerHealthDto, OpenDeadDto } from '../health/consumer-health.dto.js';
import { SendingDto } from './sending.dto.js';

/** Whether sending is paused, and why. */
export class SendingReasonDto extends SendingDto {
  @ApiProperty({ type: String, nullable: true })
  pauseReason!: string | null;

  /** Name of the API key or person that paused it. */
  @ApiProperty({ type: String, nullable: true })
  pausedBy!: string | null;
}

/** Pending deliveries in one state; held ones by reason. */
export class QueueStateDto {
  @ApiProperty({ enum: PENDING_STATES })
  state!: PendingState;

  /** Null unless `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** True: there can be more than `count`, since at most 100,000 pending deliveries are counted. */
  @ApiProperty()
  countIsCapped!: boolean;

  /**
   * Due time of the most overdue delivery (`queued`), or the beginning of the longest hold (`held`). Null without
   * such a delivery, and for `sending`.
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true })
  oldestAgeSeconds!: number | null;
}

/** Rates per minute, from the current minute and the four before it. */
export class QueueRatesDto {
  /** Accepted events. */
  @ApiProperty({ type: 'number', minimum: 0 })
  acceptedPerMinute!: number;

  /** Completed deliveries. */
  @ApiProperty({ type: 'number', minimum: 0 })
  deliveredPerMinute!: number;

  /** Failed attempts. */
  @ApiProperty({ type: 'number', minimum: 0 })
  failedPerMinute!: number;

  /** All attempts. */
  @ApiProperty({ type: 'number', minimum: 0 })
  attemptsPerMinute!: number;

  /** Share of acknowledged attempts; null without attempts. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successRate!: number | null;
}

/** A live worker process. */
export class QueueWorkerDto {
  @ApiProperty({ format: 'uuid' })
  workerId!: string;

  @ApiProperty()
  host!: string;

  @ApiProperty({ type: 'integer' })
  pid!: number;

  @ApiProperty({ format: 'date-time' })
  startedAt!: string;

  @ApiProperty({ format: 'date-time' })
  lastSeenAt!: string;

  /** Maximum number of deliveries in flight. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  concurrency!: number;

  /** Deliveries in flight at the last heartbeat. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sending!: number;

  /** Consumers that it served at the last heartbeat. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sessions!: number;
}

/** A consumer that needs attention. */
export class ConsumerTroubleDto {
  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  contact!: string | null;

  @ApiProperty({ type: () => ConsumerHealthDto })
  health!: ConsumerHealthDto;
}

/** Number of consumers in one state of health. */
export class ConsumersInStateDto {
  @ApiProperty({ enum: HEALTH_STATES })
  state!: HealthState;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;
}

/** The most important figures. */
export class QueueFiguresDto {
  /** Number of scheduled, sending and held deliveries, exact. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** Due time of the most overdue delivery, except those of paused consumers. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** Dead deliveries that are not settled. */
  @ApiProperty({ type: () => OpenDeadDto })
  dead!: OpenDeadDto;

  /** Share of acknowledged attempts in the last 15 minutes; null without attempts. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successShare!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  consumersDown!: number;
}

/** Number of events of the last 90 days without a recipient. */
export class UnroutedDto {
  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  @ApiProperty()
  countIsCapped!: boolean;

  /** Beginning of the counted period. */
  @ApiProperty({ format: 'date-time' })
  since!: string;
}

/** Jobs in the queue. A consumer with work has one job, for any number of deliveries. */
export class QueueJobsDto {
  /** Jobs that no worker has claimed yet. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** Jobs of a worker that delivers to the consumer. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  active!: number;

  /** Timers of consumers that have work later. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  delayed!: number;
}

/** Consumers that need a job, according to PostgreSQL. */
export class JobsWantedDto {
  /** Number of consumers with work that has been due for five seconds, and that no worker reports to serve. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  overdueConsumers!: number;
}

/** Whether the queue has enough jobs for all consumers that need one; numbers are compared, not single jobs. */
export class QueueAgreementDto {
  /** False if consumers with overdue deliveries lack a job. Null if the queue did not answer. */
  @ApiProperty({ type: Boolean, nullable: true })
  agrees!: boolean | null;

  /** The result as a sentence. */
  @ApiProperty()
  detail!: string;

  /** Null if the queue did not answer. */
  @ApiProperty({ type: () => QueueJobsDto, nullable: true })
  queue!: QueueJobsDto | null;

  @ApiProperty({ type: () => JobsWantedDto })
  database!: JobsWantedDto;
}

/** The state of the dispatcher. */
export class QueueDto {
  @ApiProperty({ format: 'date-time' })
  asOf!: string;

  @ApiProperty({ type: () => SendingReasonDto })
  sending!: SendingReasonDto;

  /** `queued`, `sending`, and `held` with each reason; always all of them. */
  @ApiProperty({ type: () => QueueStateDto, isArray: true })
  states!: QueueStateDto[];

  @ApiProperty({ type: () => QueueRatesDto })
  rates!: QueueRatesDto;

  /** Workers with a heartbeat in the last 6 s. */
  @ApiProperty({ type: () => QueueWorkerDto, isArray: true })
  workers!: QueueWorkerDto[];

  @ApiProperty({ type: () => QueueFiguresDto })
  figures!: QueueFiguresDto;

  /** Backlog of all consumers together. */
  @ApiProperty({ type: () => BacklogDto })
  backlog!: BacklogDto;

  /** Every state of health, the worst first. */
  @ApiProperty({ type: () => ConsumersInStateDto, isArray: true })
  consumers!: ConsumersInStateDto[];

  /**
   * Consumers that are not healthy, have dead deliveries that are not settled, or certificates that expire soon. The
   * worst first, planned pauses last; at most 100.
   */
  @ApiProperty({ type: () => ConsumerTroubleDto, isArray: true })
  trouble!: ConsumerTroubleDto[];

  /** Number of all such consumers. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  troubleTotal!: number;

  @ApiProperty({ type: () => UnroutedDto })
  unrouted!: UnroutedDto;

  @ApiProperty({ type: () => QueueAgreementDto })
  agreement!: QueueAgreementDto;
}
