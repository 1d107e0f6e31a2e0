import {
  HOLD_REASONS,
  OPEN_STATES,
  TROUBLE_KINDS,
  type HoldReason,
  type OpenState,
  type TroubleKind,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { SendingDto } from './sending.dto.js';

/** Whether the dispatcher sends at all, and why not. */
export class SendingReasonDto extends SendingDto {
  @ApiProperty({ type: String, nullable: true })
  pauseReason!: string | null;

  /** The name of the API key that paused it. */
  @ApiProperty({ type: String, nullable: true })
  pausedBy!: string | null;
}

/** Open deliveries in one state, held ones by their reason. */
export class QueueStateDto {
  @ApiProperty({ enum: OPEN_STATES })
  state!: OpenState;

  /** Null unless `state` is `held`. */
  @ApiProperty({ enum: HOLD_REASONS, nullable: true })
  holdReason!: HoldReason | null;

  @ApiProperty({ type: 'integer', minimum: 0 })
  count!: number;

  /** There are more than `count`. */
  @ApiProperty()
  countIsCapped!: boolean;

  /** When the longest overdue was due (`queued`, `sending`), or since when the first has been on hold (`held`); null when nothing is. */
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

  /** Attempts, whatever their outcome. */
  @ApiProperty({ type: 'number', minimum: 0 })
  attemptsPerMinute!: number;

  /** Attempts that were acknowledged among all; null when there were none. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  successRate!: number | null;
}

/** A worker process that lives. */
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

  /** Deliveries that it was sending when it was last seen. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sending!: number;
}

/** A consumer that somebody should look at. */
export class ConsumerTroubleDto {
  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  contact!: string | null;

  @ApiProperty({ enum: TROUBLE_KINDS })
  kind!: TroubleKind;

  @ApiProperty({ format: 'date-time' })
  since!: string;

  /** What is wrong, in words. */
  @ApiProperty()
  why!: string;

  /** Its open deliveries. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  backlog!: number;

  /** There are more than `backlog`. */
  @ApiProperty()
  backlogIsCapped!: boolean;

  /** When the longest overdue of them was due. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  oldestDueAt!: string | null;

  /** What to do about it, in words. */
  @ApiProperty()
  advice!: string;
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

/** Jobs in the queue, whichever backend. Deliveries that became due together share one. */
export class QueueJobsDto {
  /** Due, and not taken yet. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  waiting!: number;

  /** With a worker. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  active!: number;

  /** Due later. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  delayed!: number;
}

/** Deliveries as PostgreSQL has them: each that is queued should be in a job, one that is being sent needs none. */
export class JobsWantedDto {
  @ApiProperty({ type: 'integer', minimum: 0 })
  queued!: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  sending!: number;
}

/** Whether there are enough jobs for all deliveries that should be in one. Numbers are compared, not single jobs. */
export class QueueAgreementDto {
  /**
   * False when deliveries lack a job. Jobs that are left over are harmless and do not count: each ends when it is due.
   * Null when the queue could not be asked, or there are too many to count.
   */
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

/** How the dispatcher is, at a glance. */
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

  /** Those that were seen within 15 s. */
  @ApiProperty({ type: () => QueueWorkerDto, isArray: true })
  workers!: QueueWorkerDto[];

  /** The worst first; at most 100. */
  @ApiProperty({ type: () => ConsumerTroubleDto, isArray: true })
  trouble!: ConsumerTroubleDto[];

  @ApiProperty({ type: () => UnroutedDto })
  unrouted!: UnroutedDto;

  @ApiProperty({ type: () => QueueAgreementDto })
  agreement!: QueueAgreementDto;
}
