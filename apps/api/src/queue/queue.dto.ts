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

  /** The name of the API key that paused it. */
  @ApiProperty({ type: String, nullable: true })
  pausedBy!: string | null;
}

/** Pending deliveries in one state, held ones by their reason. */
export class QueueStateDto {
  @ApiProperty({ enum: PENDING_STATES })
  state!: PendingState;

  /** Null unless `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** There may be more than `count`: 100,000 pending deliveries are looked at, at most. */
  @ApiProperty()
  countIsCapped!: boolean;

  /** When the longest overdue was due (`queued`), or since when the first has been held (`held`); null when none is, and for `sending`. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  @ApiProperty({ type: 'number', minimum: 0, nullable: true })
  oldestAgeSeconds!: number | null;
}

/** What happens, per minute: the minute that runs and the four before it. */
export class QueueRatesDto {
  /** Events. */
  @ApiProperty({ type: 'number', minimum: 0 })
  acceptedPerMinute!: number;

  /** Deliveries. */
  @ApiProperty({ type: 'number', minimum: 0 })
  deliveredPerMinute!: number;

  /** Attempts that failed. */
  @ApiProperty({ type: 'number', minimum: 0 })
  failedPerMinute!: number;

  /** Attempts with any outcome. */
  @ApiProperty({ type: 'number', minimum: 0 })
  attemptsPerMinute!: number;

  /** Attempts that were acknowledged among all; null when there were none. */
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

  /** Deliveries that it may send at the same time. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  concurrency!: number;

  /** Deliveries that it was sending when it last reported. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sending!: number;

  /** Consumers that it was delivering to. */
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

/** How many consumers are in a state of health. */
export class ConsumersInStateDto {
  @ApiProperty({ enum: HEALTH_STATES })
  state!: HealthState;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;
}

/** The most important figures. */
export class QueueFiguresDto {
  /** Scheduled, sending and held deliveries, counted exactly. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** When the longest overdue delivery was due, those of paused consumers apart. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** Dead deliveries that are not settled. */
  @ApiProperty({ type: () => OpenDeadDto })
  dead!: OpenDeadDto;

  /** Of all attempts of the last 15 minutes; null when there were none. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successShare!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  consumersDown!: number;
}

/** Events of the last 90 days that concerned no consumer. */
export class UnroutedDto {
  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  @ApiProperty()
  countIsCapped!: boolean;

  /** Counted since. */
  @ApiProperty({ format: 'date-time' })
  since!: string;
}

/** Jobs in the queue, whichever backend. A consumer with something to do has one, however many deliveries that is. */
export class QueueJobsDto {
  /** No worker has claimed it yet. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** With a worker, which delivers to the consumer. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  active!: number;

  /** Timers: when a consumer has something to do later. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  delayed!: number;
}

/** Who should be in the queue, as PostgreSQL has it. */
export class JobsWantedDto {
  /** Consumers that have had something to do for five seconds, and that no worker says it serves. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  overdueConsumers!: number;
}

/** Whether there are enough jobs for all consumers that need one. Numbers are compared, not single jobs. */
export class QueueAgreementDto {
  /** False when consumers with overdue deliveries lack a job. Null when the queue could not be asked. */
  @ApiProperty({ type: Boolean, nullable: true })
  agrees!: boolean | null;

  /** In words. */
  @ApiProperty()
  detail!: string;

  /** Null when the queue could not be asked. */
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

  /** `queued`, `sending`, and `held` for each reason, always all of them. */
  @ApiProperty({ type: () => QueueStateDto, isArray: true })
  states!: QueueStateDto[];

  @ApiProperty({ type: () => QueueRatesDto })
  rates!: QueueRatesDto;

  /** Workers that have reported within 6 s. */
  @ApiProperty({ type: () => QueueWorkerDto, isArray: true })
  workers!: QueueWorkerDto[];

  @ApiProperty({ type: () => QueueFiguresDto })
  figures!: QueueFiguresDto;

  /** Of all consumers together. */
  @ApiProperty({ type: () => BacklogDto })
  backlog!: BacklogDto;

  /** Every state of health, the worst first. */
  @ApiProperty({ type: () => ConsumersInStateDto, isArray: true })
  consumers!: ConsumersInStateDto[];

  /**
   * Consumers that are not healthy, or have dead deliveries that are not settled or certificates that expire soon. The
   * worst first, planned pauses after them; at most 100.
   */
  @ApiProperty({ type: () => ConsumerTroubleDto, isArray: true })
  trouble!: ConsumerTroubleDto[];

  /** Of how many these are the worst. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  troubleTotal!: number;

  @ApiProperty({ type: () => UnroutedDto })
  unrouted!: UnroutedDto;

  @ApiProperty({ type: () => QueueAgreementDto })
  agreement!: QueueAgreementDto;
}
